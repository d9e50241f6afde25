// The pictures themselves: Fluent Emoji (MIT, Microsoft) and a few things of our own, in the light of a scene.
import { readJson, SKIN_TONE } from "../words/lexicon.ts";
import ownIcons from "./own-icons.json" with { type: "json" };
import { type Color, lightness, mix, saturation } from "./palette.ts";
import { tag } from "./svg.ts";

const HEX = /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi;

/** Of 9 MB only what can be drawn is kept: without the five skin tones of each person, 3 MB. */
let bodies: ReadonlyMap<string, string> | undefined;

function loadBodies(): ReadonlyMap<string, string> {
  const file = import.meta.resolve("@iconify-json/fluent-emoji-flat/icons.json");
  const { icons } = readJson(file) as { icons: Record<string, { body: string }> };
  const drawable = Object.entries(icons).filter(([name]) => !SKIN_TONE.test(name));
  return new Map([...drawable.map(([name, { body }]) => [name, body] as const), ...Object.entries(ownIcons)]);
}

export type Tone = {
  readonly ambient: Color;
  readonly amount: number;
  /** The colour that the prompt gives the thing. */
  readonly color?: string | undefined;
};

/** What stands inside `viewBox="0 0 32 32"`; empty where there is no such picture. */
export function drawIcon(name: string, { ambient, amount, color }: Tone): string {
  bodies ??= loadBodies();
  const body = bodies.get(name) ?? "";
  return body.replace(HEX, (found) => {
    const full = found.length === 4 ? found.replace(/[^#]/g, "$&$&") : found;
    return mix(color === undefined ? full : recolor(full, color), ambient, amount);
  });
}

/** An icon that stands with the middle of its lower edge at a point. */
export function placeIcon(name: string, tone: Tone, x: number, base: number, size: number): string {
  const place = { x: x - size / 2, y: base - size, width: size, height: size };
  return tag("svg", { ...place, viewBox: "0 0 32 32" }, drawIcon(name, tone));
}

/** The asked colour at the lightness that was there; what is black, white or grey in the picture stays so, eyes above all. */
function recolor(own: Color, color: Color): Color {
  const plain = saturation(color) < 0.12;
  if (saturation(own) < 0.12 || (lightness(own) < 0.15 && !plain)) return own;
  const gap = lightness(own) - lightness(color);
  return mix(color, gap > 0 ? "#ffffff" : "#000000", Math.min(0.6, Math.abs(gap) * (plain ? 0.5 : 0.75)));
}
