// What the unit tests need of the editor: enough for the modules to be loaded and the extension to be activated.

type Listener = (value: never) => unknown;

/** What the extension did, for assertions. */
export const record = {
  commands: new Map<string, (...args: unknown[]) => unknown>(),
  contexts: new Map<string, unknown>(),
  messages: [] as string[],
  executed: [] as unknown[][],
  terminals: [] as { name: string; sent: string[] }[],
  listeners: new Map<string, Listener>(),
  settings: new Map<string, unknown>(),
  files: new Map<string, string>(),
};

class Disposable {
  dispose(): void {
    // Nothing is held.
  }
}

const listen = (name: string) => (listener: Listener) => {
  record.listeners.set(name, listener);
  return new Disposable();
};

export class Uri {
  constructor(
    readonly scheme: string,
    readonly fsPath: string,
    readonly query = "",
  ) {}
  static file(file: string): Uri {
    return new Uri("file", file);
  }
  static parse(text: string): Uri {
    return Uri.file(decodeURIComponent(text.replace(/^file:\/\//, "")));
  }
  static from(parts: { scheme: string; path: string; query: string }): Uri {
    return new Uri(parts.scheme, parts.path, parts.query);
  }
}
export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}
export class Range {
  constructor(...readonly_: unknown[]) {
    void readonly_;
  }
}
export class Location {
  constructor(
    readonly uri: Uri,
    readonly range: unknown,
  ) {}
}
export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: unknown,
  ) {}
}
export class EventEmitter {
  readonly event = listen("event");
  fire(): void {
    // Nobody listens.
  }
  dispose(): void {
    // Nothing is held.
  }
}
export const ViewColumn = { One: 1, Beside: -2 };

export const workspace = {
  textDocuments: [] as unknown[],
  workspaceFolders: [{ uri: Uri.file("/work") }],
  getConfiguration: () => ({ get: (key: string) => record.settings.get(key) }),
  getWorkspaceFolder: () => workspace.workspaceFolders[0],
  registerTextDocumentContentProvider: () => new Disposable(),
  onDidOpenTextDocument: listen("open"),
  onDidSaveTextDocument: listen("save"),
  onDidChangeConfiguration: listen("configuration"),
  fs: {
    async readFile(uri: Uri): Promise<Uint8Array> {
      const text = record.files.get(uri.fsPath);
      if (text === undefined) {
        throw new Error(`there is no ${uri.fsPath}`);
      }
      return new TextEncoder().encode(text);
    },
  },
};

export const window = {
  activeTextEditor: undefined as unknown,
  terminals: record.terminals,
  createOutputChannel: () => ({ show() {}, dispose() {} }),
  createTerminal: ({ name }: { name: string }) => {
    const sent: string[] = [];
    const terminal = { name, sent, show() {}, sendText: (text: string) => sent.push(text) };
    record.terminals.push(terminal);
    return terminal;
  },
  onDidChangeActiveTextEditor: listen("editor"),
  // Whoever is told takes the first offer.
  showErrorMessage: async (message: string, ...offers: string[]) => {
    record.messages.push(message);
    return offers[0];
  },
  showInformationMessage: async (message: string) => void record.messages.push(message),
};

export const commands = {
  registerCommand(name: string, run: (...args: unknown[]) => unknown) {
    record.commands.set(name, run);
    return new Disposable();
  },
  async executeCommand(name: string, key: string, value: unknown, more?: unknown) {
    if (name === "setContext") {
      record.contexts.set(key, value);
    } else {
      record.executed.push([name, key, value, more]);
    }
  },
};

export const languages = { registerCodeLensProvider: () => new Disposable(), registerDefinitionProvider: () => new Disposable() };
