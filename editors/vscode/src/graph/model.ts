// The JSON document of `kitsoki graph --format json`, checked where it enters.

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface GraphNode {
  readonly path: string;
  readonly parent?: number;
  readonly kind: "atomic" | "compound" | "parallel" | "template" | "unknown";
  readonly import?: string;
  readonly initial?: boolean;
  readonly terminal?: boolean;
  readonly description?: string;
  readonly place?: Place;
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: "arc" | "emit" | "timeout" | "error" | "complete";
  readonly label: string;
  readonly guard?: string;
  readonly default?: boolean;
  readonly stays?: boolean;
  readonly place?: Place;
}

export interface Graph {
  readonly id: string;
  readonly title: string;
  readonly dir: string;
  readonly root?: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** Reads the document; a text when it is none that this version knows. */
export function readGraph(text: string): Graph | string {
  let document: { schema?: unknown; graph?: Graph };
  try {
    document = JSON.parse(text) as typeof document;
  } catch {
    return "the output of `kitsoki graph` is no JSON";
  }
  const graph = document.graph;
  if (document.schema !== 1 || graph === undefined) {
    return "this version of kitsoki writes graphs in another form: update the extension";
  }
  const count = graph.nodes.length;
  const known = (index: number | undefined) => index === undefined || (index >= 0 && index < count);
  const sound =
    graph.nodes.every((node, index) => known(node.parent) && (node.parent ?? -1) < index) &&
    graph.edges.every((edge) => known(edge.from) && known(edge.to)) &&
    known(graph.root);
  return sound ? graph : "the output of `kitsoki graph` names rooms that it does not hold";
}

/** What is written beside an edge. */
export function edgeText(edge: GraphEdge): string {
  const words = {
    arc: edge.label,
    emit: `emits ${edge.label}`,
    timeout: `after ${edge.label}`,
    error: `${edge.label} fails`,
    complete: `${edge.label} ends`,
  };
  const guard = edge.guard ?? (edge.default === true ? "otherwise" : undefined);
  return guard === undefined ? words[edge.kind] : `${words[edge.kind]} [${guard}]`;
}

/** Edges between the same rooms that are drawn as one line. */
export interface Line {
  readonly from: number;
  readonly to: number;
  /** Nobody asks for it. */
  readonly dashed: boolean;
  readonly edges: readonly GraphEdge[];
}

export function lines(graph: Graph): Line[] {
  const found = new Map<string, { from: number; to: number; dashed: boolean; edges: GraphEdge[] }>();
  for (const edge of graph.edges) {
    const dashed = edge.kind !== "arc";
    const key = `${edge.from} ${edge.to} ${dashed}`;
    const line = found.get(key) ?? { from: edge.from, to: edge.to, dashed, edges: [] };
    line.edges.push(edge);
    found.set(key, line);
  }
  return [...found.values()];
}

/** What the extension tells the view. */
export type ToView = { readonly kind: "graph"; readonly graph: Graph; readonly note: string } | { readonly kind: "fault"; readonly message: string };

/** What the view tells the extension. */
export type FromView = { readonly kind: "ready" } | { readonly kind: "open"; readonly place: Place };

/** Whether something from outside is a message of the view. */
export function isFromView(message: unknown): message is FromView {
  if (typeof message !== "object" || message === null || !("kind" in message)) {
    return false;
  }
  if (message.kind === "ready") {
    return true;
  }
  if (message.kind !== "open" || !("place" in message)) {
    return false;
  }
  const place = message.place as Partial<Place> | null;
  return typeof place?.file === "string" && Number.isInteger(place.line) && Number.isInteger(place.column);
}
