// Stands in for the language client: no server is started in unit tests.

export const started: { documentSelector: { pattern: string }[]; command: string; args: string[] }[] = [];
export const stopped: number[] = [];

export const RevealOutputChannelOn = { Never: 4 };

export class LanguageClient {
  initializeResult = undefined;
  constructor(
    _id: string,
    _name: string,
    private readonly server: { command: string; args: string[] },
    private readonly options: { documentSelector: { pattern: string }[] },
  ) {}
  async start(): Promise<void> {
    started.push({ documentSelector: this.options.documentSelector, ...this.server });
  }
  async dispose(): Promise<void> {
    stopped.push(started.length);
  }
}
