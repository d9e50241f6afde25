// Small pieces of SVG text.
export type SceneBox = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export function tag(name: string, attributes: Readonly<Record<string, string | number>>, body = ""): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${list.join("")}>${body}</${name}>`;
}

/** A part of the stage as a document of its own, a pixel for each unit. */
export function svgDocument({ x, y, width, height }: SceneBox, body: string): string {
  const viewBox = `${x} ${y} ${width} ${height}`;
  return tag("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox }, body);
}

/** Evenly through colours (with two digits more where one sees through), from top to bottom of the shape or from its middle outwards. */
export function gradient(
  id: string,
  colors: readonly string[],
  kind: "linear" | "radial" = "linear",
): string {
  const axis = kind === "linear" ? { x1: 0, y1: 0, x2: 0, y2: 1 } : {};
  const stops = colors.map((color, i) =>
    tag("stop", { offset: i / (colors.length - 1), "stop-color": color }),
  );
  return tag(`${kind}Gradient`, { id, ...axis }, stops.join(""));
}
