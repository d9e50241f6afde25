// The shapes that covers are made of, as SVG, and the tools that a motif gets to draw with.

export type Palette = {
  readonly from: string;
  readonly to: string;
  readonly ink: string;
  readonly accent: string;
};

/** Draws inside 800 by 600. */
export type Motif = (palette: Palette, random: () => number) => string;

type Box = { fill: string; radius?: number; opacity?: number; stroke?: string };

export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  { fill, radius = 0, opacity, stroke }: Box,
): string {
  const more = [
    radius === 0 ? "" : ` rx="${radius}"`,
    opacity === undefined ? "" : ` opacity="${round(opacity)}"`,
    stroke === undefined ? "" : ` stroke="${stroke}" stroke-opacity=".25" stroke-width="2"`,
  ];
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}"${more.join("")}/>`;
}

export function circle(x: number, y: number, r: number, fill: string, opacity = 1): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(r)}" fill="${fill}"${opacity === 1 ? "" : ` opacity="${round(opacity)}"`}/>`;
}

export function line(path: string, stroke: string, width: number, opacity = 1): string {
  return `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"${opacity === 1 ? "" : ` opacity="${round(opacity)}"`}/>`;
}

export function shape(path: string, fill: string, opacity = 1): string {
  return `<path d="${path}" fill="${fill}"${opacity === 1 ? "" : ` opacity="${round(opacity)}"`}/>`;
}

/** Calls `draw` `count` times, with 0, 1, 2 and so on. */
export function times(count: number, draw: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => draw(i)).join("");
}

export function pick<T>(list: readonly [T, ...T[]], random: () => number): T {
  return list[Math.floor(random() * list.length)] ?? list[0];
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
