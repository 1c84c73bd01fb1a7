// What `../src/stories.ts` needs of Node's `path`, in a page.
export const sep = "/";

export function dirname(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf("/"), 0)) || "/";
}

export function join(folder: string, name: string): string {
  return `${folder}/${name}`;
}
