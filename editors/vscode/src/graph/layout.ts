// Where the boxes and lines of a graph stand.
import * as dagre from "@dagrejs/dagre";
import { edgeText, type Graph, type Line, lines } from "./model.ts";

export interface Box {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** It holds others. */
  readonly frame: boolean;
  readonly label: string;
}

export interface Route {
  readonly line: Line;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Where its texts stand. */
  readonly x: number;
  readonly y: number;
  readonly texts: readonly string[];
}

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly routes: readonly Route[];
}

/** Letters of a text beside a line. */
const LONGEST = 48;
/** Texts beside one line. */
const MOST = 4;

export function short(text: string): string {
  const letters = [...text.replace(/\s+/g, " ")];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("")}…` : letters.join("");
}

export function label(graph: Graph, index: number): string {
  const node = graph.nodes[index];
  if (node === undefined) {
    return "";
  }
  const nested = node.parent !== undefined && node.kind !== "template" && node.kind !== "unknown";
  const name = nested ? (node.path.split(".").at(-1) ?? "") : node.path;
  const start = graph.root === index || node.initial === true ? "▶ " : "";
  return short(`${start}${name}${node.import === undefined ? "" : " (import)"}`);
}

function texts(line: Line): string[] {
  const all = [...new Set(line.edges.map((edge) => short(edgeText(edge))))];
  return all.length > MOST ? [...all.slice(0, MOST), `and ${all.length - MOST} more`] : all;
}

/** Something that has a place: its middle and its size. */
interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A line from a box to itself: a small bow between its right side and the texts, which stand beside it. */
function loop(box: Placed, texts: Placed): { x: number; y: number }[] {
  const side = box.x + box.width / 2;
  const out = Math.max(side + 10, Math.min(side + 24, texts.x - texts.width / 2 - 4));
  return [
    { x: side, y: box.y - 8 },
    { x: out, y: box.y - 8 },
    { x: out, y: box.y + 8 },
    { x: side, y: box.y + 8 },
  ];
}

/** Lays a graph out from top to bottom. A line of a frame begins and ends at a small box in it, which stands for all of it. */
export function layout(graph: Graph): Drawing {
  const plan = new dagre.graphlib.Graph({ multigraph: true, compound: true });
  plan.setGraph({ rankdir: "TB", nodesep: 40, ranksep: 70, marginx: 20, marginy: 50 });
  const frames = new Set(graph.nodes.map((node) => node.parent).filter((parent) => parent !== undefined));
  for (const index of graph.nodes.keys()) {
    const text = label(graph, index);
    plan.setNode(`${index}`, frames.has(index) ? { label: text } : { label: text, width: 24 + 7.2 * text.length, height: 32 });
  }
  for (const [index, node] of graph.nodes.entries()) {
    if (node.parent !== undefined) {
      plan.setParent(`${index}`, `${node.parent}`);
    }
  }
  const end = (index: number) => {
    if (!frames.has(index)) {
      return `${index}`;
    }
    const any = `${index} any`;
    if (!plan.hasNode(any)) {
      plan.setNode(any, { label: "anywhere in it", width: 110, height: 24 });
      plan.setParent(any, `${index}`);
    }
    return any;
  };
  const drawn = lines(graph).map((line, number) => {
    const beside = texts(line);
    const widest = Math.max(...beside.map((text) => text.length));
    const size = { width: 6 * widest, height: 13 * beside.length, labelpos: "c" };
    plan.setEdge(end(line.from), end(line.to), size, `${number}`);
    return { line, texts: beside, from: end(line.from), to: end(line.to), number };
  });
  dagre.layout(plan);
  const boxes: Box[] = plan.nodes().map((name: string) => {
    const { x, y, width, height, label: text } = plan.node(name) as { x: number; y: number; width: number; height: number; label: string };
    const index = name.endsWith("any") ? -1 : Number(name);
    return { index, x: x - width / 2, y: y - height / 2, width, height, frame: frames.has(index), label: text };
  });
  const routes: Route[] = drawn.map(({ line, texts: beside, from, to, number }) => {
    const edge = plan.edge({ v: from, w: to, name: `${number}` }) as Placed & { points: { x: number; y: number }[] };
    const points = from === to ? loop(plan.node(from) as Placed, edge) : edge.points;
    return { line, points, x: edge.x, y: edge.y, texts: beside };
  });
  const { width = 0, height = 0 } = plan.graph() as { width?: number; height?: number };
  return { width, height, boxes, routes };
}
