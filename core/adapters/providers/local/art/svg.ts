// Small pieces of SVG text.
export type SceneBox = Readonly<Record<"x" | "y" | "width" | "height", number>>;
export type Point = readonly [x: number, y: number];

type Attributes = Readonly<Record<string, string | number>>;
/** A fill alone, or several attributes. */
type Look = string | Attributes;

export function tag(name: string, attributes: Attributes, body = ""): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${list.join("")}>${body}</${name}>`;
}

const shape = (name: string, place: Attributes, look: Look): string =>
  tag(name, { ...place, ...(typeof look === "string" ? { fill: look } : look) });
export const path = (d: string | readonly string[], look: Look): string =>
  shape("path", { d: typeof d === "string" ? d : d.join("") }, look);
export const circle = (cx: number, cy: number, r: number, look: Look) => shape("circle", { cx, cy, r }, look);
export const rect = ({ x, y, width, height }: SceneBox, look: Look): string =>
  shape("rect", { x, y, width, height }, look);

/** An outline around its foot at (0, 0), y upwards, as the data of a path at a place of the stage; `lean` is how far its top leans over. */
export function placed(outline: string, [x, y]: Point, wide: number, tall = wide, lean = 0): string {
  return outline.replace(/(-?[\d.]+),(-?[\d.]+)/g, (_, across: string, up: string) => {
    const [dx, dy] = [Number(across), Number(up)];
    return `${(x + dx * wide + dy * lean).toFixed(1)} ${(y - dy * tall).toFixed(1)}`;
  });
}

/** The part of a path that goes straight from point to point. */
export function lines(points: readonly Point[]): string {
  return points.map(([x, y]) => `L${x} ${y}`).join("");
}

export function filtered(id: string, effects: string, body: string, region: Attributes): string {
  return tag("filter", { id, ...region }, effects) + tag("g", { filter: `url(#${id})` }, body);
}

/** Evenly through colours (with two digits more where one sees through), from top to bottom of the shape. */
export function gradient(id: string, colors: readonly string[], axis: Attributes = {}): string {
  return tag("linearGradient", { id, x2: 0, y2: 1, ...axis }, stopsOf(colors));
}

/** A circle of such colours from its middle outwards. */
export function orb(
  id: string,
  colors: readonly string[],
  [x, y]: Point,
  r: number,
  axis: Attributes = {},
): string {
  return tag("radialGradient", { id, ...axis }, stopsOf(colors)) + circle(x, y, r, `url(#${id})`);
}

function stopsOf(colors: readonly string[]): string {
  const last = colors.length - 1;
  return colors.map((color, i) => tag("stop", { offset: i / last, "stop-color": color })).join("");
}
