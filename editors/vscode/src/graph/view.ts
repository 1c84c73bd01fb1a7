// The script of the graph view: draws what the extension sends, and tells it which place was chosen.
import { layout } from "./layout.ts";
import { type Graph, type GraphNode, type Place, type ToView } from "./model.ts";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const editor = acquireVsCodeApi();
const NAMESPACE = "http://www.w3.org/2000/svg";

function element(name: string, attributes: Record<string, string | number>, ...inside: (Element | string)[]): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, `${value}`);
  }
  made.append(...inside);
  return made;
}

function chosen(target: SVGElement, place: Place | undefined): void {
  if (place === undefined) {
    return;
  }
  target.classList.add("placed");
  target.setAttribute("tabindex", "0");
  const open = () => editor.postMessage({ kind: "open", place });
  target.addEventListener("click", open);
  target.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      open();
    }
  });
}

function classOf(graph: Graph, node: GraphNode | undefined, index: number): string {
  const open = node === undefined || node.kind === "template" || node.kind === "unknown";
  const start = graph.root === index || node?.initial === true;
  return ["node", open ? "open" : "", start ? "start" : "", node?.terminal === true ? "terminal" : ""].join(" ").trim();
}

function draw(graph: Graph, note: string): void {
  const svg = document.querySelector("#graph") as SVGSVGElement;
  (document.querySelector("#title") as HTMLElement).textContent = graph.title;
  (document.querySelector("#note") as HTMLElement).textContent = note;
  const drawing = layout(graph);
  const arrow = element("marker", { id: "end", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" }, element("path", { d: "M0 0L8 4L0 8z" }));
  const all = element("g", {});
  for (const box of drawing.boxes.filter((box) => box.frame)) {
    const frame = element("g", {}, element("rect", { class: "frame", x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }));
    frame.append(element("text", { x: box.x + 8, y: box.y + 16 }, box.label));
    all.append(frame);
  }
  for (const route of drawing.routes) {
    const path = route.points.map((point, at) => `${at === 0 ? "M" : "L"}${point.x} ${point.y}`).join("");
    const line = element("g", { class: route.line.dashed ? "line dashed" : "line" }, element("path", { d: path, "marker-end": "url(#end)" }));
    const top = route.y - (13 * (route.texts.length - 1)) / 2;
    for (const [at, text] of route.texts.entries()) {
      line.append(element("text", { x: route.x, y: top + 13 * at + 4, "text-anchor": "middle" }, text));
    }
    chosen(line, route.line.edges.find((edge) => edge.place !== undefined)?.place);
    all.append(line);
  }
  for (const box of drawing.boxes.filter((box) => !box.frame)) {
    const node = graph.nodes[box.index];
    const shown = element("g", { class: classOf(graph, node, box.index) }, element("rect", { x: box.x, y: box.y, width: box.width, height: box.height, rx: 4 }));
    shown.append(element("text", { x: box.x + box.width / 2, y: box.y + box.height / 2 + 4, "text-anchor": "middle" }, box.label));
    if (node !== undefined) {
      shown.append(element("title", {}, node.description ? `${node.path}: ${node.description}` : node.path));
    }
    chosen(shown, node?.place);
    all.append(shown);
  }
  svg.replaceChildren(element("defs", {}, arrow), all);
  svg.dataset["rooms"] = `${drawing.boxes.filter((box) => !box.frame && box.index >= 0).length}`;
  move(svg, drawing.width, drawing.height);
}

/** The part of the drawing that is seen: dragged with the pointer, scaled with the wheel. */
function move(svg: SVGSVGElement, width: number, height: number): void {
  const view = { x: 0, y: 0, width: Math.max(width, 1), height: Math.max(height, 1) };
  const apply = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  let from: { x: number; y: number } | undefined;
  svg.onpointerdown = (event) => {
    from = { x: event.clientX, y: event.clientY };
  };
  svg.onpointermove = (event) => {
    if (from !== undefined && event.buttons === 1) {
      const scale = Math.max(view.width / svg.clientWidth, view.height / svg.clientHeight);
      view.x -= (event.clientX - from.x) * scale;
      view.y -= (event.clientY - from.y) * scale;
      from = { x: event.clientX, y: event.clientY };
      apply();
    }
  };
  svg.onpointerup = () => {
    from = undefined;
  };
  svg.onwheel = (event) => {
    event.preventDefault();
    const factor = event.deltaY > 0 ? 1.15 : 1 / 1.15;
    view.x += (view.width * (1 - factor)) / 2;
    view.y += (view.height * (1 - factor)) / 2;
    view.width *= factor;
    view.height *= factor;
    apply();
  };
  apply();
}

window.addEventListener("message", (event: MessageEvent<ToView>) => {
  const message = event.data;
  if (message.kind === "graph") {
    draw(message.graph, message.note);
  } else {
    (document.querySelector("#title") as HTMLElement).textContent = "The graph cannot be drawn";
    (document.querySelector("#note") as HTMLElement).textContent = message.message;
    (document.querySelector("#graph") as SVGSVGElement).replaceChildren();
  }
});
editor.postMessage({ kind: "ready" });
