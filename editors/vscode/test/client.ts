// Stands in for the language client: no server is started in unit tests.

export const started: { documentSelector: { pattern: string }[]; command: string; args: string[] }[] = [];
export const stopped: number[] = [];
type Next = () => Promise<unknown[]>;
/** What stands between the last client and the editor. */
export const between: { middleware?: undefined | { provideCodeLenses(document: unknown, token: unknown, next: Next): Promise<unknown[]> } } = {};
/** Programs that cannot be started. */
export const missing = new Set<string>();

export const RevealOutputChannelOn = { Never: 4 };

export class LanguageClient {
  initializeResult = undefined;
  constructor(
    _id: string,
    _name: string,
    private readonly server: { command: string; args: string[] },
    private readonly options: { documentSelector: { pattern: string }[]; middleware?: typeof between.middleware },
  ) {
    between.middleware = options.middleware;
  }
  async start(): Promise<void> {
    if (missing.has(this.server.command)) {
      throw new Error(`Launching server using command ${this.server.command} failed. Error: spawn ${this.server.command} ENOENT`);
    }
    started.push({ documentSelector: this.options.documentSelector, ...this.server });
  }
  async dispose(): Promise<void> {
    stopped.push(started.length);
  }
}
