// Small pieces of SVG text. Everything that is drawn goes through here, so that numbers stay short and text is escaped.
import type { Color } from "./color.ts";

/** At most two decimals: finer than a pixel can show. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function path(d: string, fill: string, attributes = ""): string {
  return `<path d="${d}" fill="${fill}" ${attributes}/>`;
}

export function stroke(d: string, color: Color, width: number, attributes = ""): string {
  return `<path d="${d}" fill="none" stroke="${color}" stroke-width="${n(width)}" ${attributes}/>`;
}

export function circle(x: number, y: number, radius: number, fill: string, attributes = ""): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(Math.max(0, radius))}" fill="${fill}" ${attributes}/>`;
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, attributes = ""): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${attributes}/>`;
}

export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  attributes = "",
): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(Math.max(0, width))}" height="${n(Math.max(0, height))}" fill="${fill}" ${attributes}/>`;
}

export function group(body: string, attributes: string): string {
  return `<g ${attributes}>${body}</g>`;
}

export type Stop = readonly [offset: number, color: Color, opacity?: number];

/** From top to bottom over the shape; `axis` (x1 y1 x2 y2) turns it, in fractions of the shape or in the units of the stage. */
export function linearGradient(
  id: string,
  stops: readonly Stop[],
  axis: readonly [number, number, number, number] = [0, 0, 0, 1],
  units: "objectBoundingBox" | "userSpaceOnUse" = "objectBoundingBox",
): string {
  const [x1, y1, x2, y2] = axis.map(n);
  return `<defs><linearGradient id="${id}" gradientUnits="${units}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stopTags(stops)}</linearGradient></defs>`;
}

export function radialGradient(id: string, stops: readonly Stop[]): string {
  return `<defs><radialGradient id="${id}">${stopTags(stops)}</radialGradient></defs>`;
}

/** Text that came from a prompt: what XML forbids is dropped, the rest is escaped. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function stopTags(stops: readonly Stop[]): string {
  return stops
    .map(
      ([offset, color, opacity = 1]) =>
        `<stop offset="${n(offset)}" stop-color="${color}" stop-opacity="${n(opacity)}"/>`,
    )
    .join("");
}
