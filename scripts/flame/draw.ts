// A flame graph as one SVG: each function as wide as the time that went by in it and in what it called, on top of what called it.
import { STEP, type Stacks } from "./stacks.ts";

const WIDTH = 1_600;
const ROW = 17;
/** What is narrower could not be seen. */
const LEAST_PIXELS = 0.5;
const CHARACTER = 6.2;

type Node = { name: string; weight: number; children: Map<string, Node> };

export function drawFlames(title: string, stacks: Stacks): string {
  const root: Node = { name: title, weight: 0, children: new Map() };
  for (const [stack, weight] of stacks) {
    root.weight += weight;
    let node = root;
    for (const name of stack.split(STEP)) {
      const child = node.children.get(name) ?? { name, weight: 0, children: new Map() };
      child.weight += weight;
      node.children.set(name, child);
      node = child;
    }
  }
  const boxes: string[] = [];
  let deepest = 0;
  const scale = WIDTH / root.weight;
  const draw = (node: Node, x: number, depth: number): void => {
    const width = node.weight * scale;
    if (width < LEAST_PIXELS) return;
    deepest = Math.max(deepest, depth);
    boxes.push(drawBox(node, { x, depth, width, share: node.weight / root.weight }));
    let at = x;
    for (const child of node.children.values()) {
      draw(child, at, depth + 1);
      at += child.weight * scale;
    }
  };
  draw(root, 0, 0);
  const height = (deepest + 1) * ROW;
  // Rows are counted from below, where the outermost function is.
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -${height} ${WIDTH} ${height}" font-family="monospace" font-size="10">
${boxes.join("\n")}
</svg>
`;
}

type Place = { x: number; depth: number; width: number; share: number };

function drawBox({ name }: Node, { x, depth, width, share }: Place): string {
  const y = -(depth + 1) * ROW;
  const letters = Math.floor(width / CHARACTER) - 1;
  const text =
    letters < 3
      ? ""
      : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escape(name.slice(0, letters))}</text>`;
  const box = `x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="hsl(${hueOf(name)} 75% 68%)"`;
  return `<g><title>${escape(name)} (${(share * 100).toFixed(1)} %)</title><rect ${box}/>${text}</g>`;
}

/** The same function has the same colour wherever it is. */
function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 60;
  return sum;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
