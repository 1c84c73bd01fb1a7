// The page of the graph view. It holds no word of a story: those come in a message and become text nodes.

/** The page; `script` and `source` are addresses of the webview. */
export function page(script: string, source: string, nonce: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}' ${source}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Graph</title>
<style nonce="${nonce}">
html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; font-family: var(--vscode-font-family, sans-serif); color: var(--vscode-foreground, #222); }
header { position: absolute; left: 12px; top: 8px; right: 12px; font-size: 12px; pointer-events: none; }
header h1 { font-size: 14px; margin: 0 0 2px; }
header p { margin: 0; opacity: 0.8; }
svg { width: 100%; height: 100%; cursor: grab; user-select: none; }
.frame { fill: none; stroke: var(--vscode-editorWidget-border, #888); }
.node rect { fill: var(--vscode-editorWidget-background, #f4f4f4); stroke: var(--vscode-editorWidget-border, #888); }
.node.start rect { stroke-width: 3; }
.node.terminal rect { stroke-width: 2; rx: 14; }
.node.open rect { stroke-dasharray: 4 3; }
.node.placed { cursor: pointer; }
.node:focus { outline: none; }
.node:focus rect, .node.placed:hover rect { stroke: var(--vscode-focusBorder, #06c); }
text { fill: currentColor; font-size: 12px; }
.line path { fill: none; stroke: var(--vscode-descriptionForeground, #666); }
.line.dashed path { stroke-dasharray: 6 4; }
.line text { font-size: 10px; paint-order: stroke; stroke: var(--vscode-editor-background, #fff); stroke-width: 3px; }
.line.placed { cursor: pointer; }
.line:hover path { stroke: var(--vscode-focusBorder, #06c); stroke-width: 2; }
marker path { fill: var(--vscode-descriptionForeground, #666); stroke: none; }
</style>
</head>
<body>
<header><h1 id="title"></h1><p id="note"></p></header>
<svg id="graph" role="img" aria-labelledby="title"></svg>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
