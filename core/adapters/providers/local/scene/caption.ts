// The prompt, set small along the lower edge of a picture.
import { escapeXml } from "../../../../../runtime/covers/cover-art.ts";
import { svgDocument, tag } from "./svg.ts";

const MAX_CHARACTERS = 90;

/** A whole SVG document, to be laid over the finished picture: brush strokes would make it unreadable. */
export function createCaption(prompt: string, width: number, height: number): string {
  const unit = Math.min(width, height) / 1000;
  const characters = [...prompt.replace(/\s+/g, " ").trim()];
  const cut = characters.length > MAX_CHARACTERS;
  const shown = cut ? [...characters.slice(0, MAX_CHARACTERS - 1), "…"] : characters;
  // Long captions are set smaller, so that they end before the edge.
  const size = Math.min(unit * 26, (width * 0.9) / (Math.max(1, shown.length) * 0.56));
  const font = { "font-family": "DejaVu Sans, Liberation Sans, Noto Sans, sans-serif", "font-size": size };
  const text = (fill: string, opacity: number, shift: number): string => {
    const place = { x: unit * 36 + shift, y: height - unit * 36 + shift };
    return tag("text", { ...place, ...font, fill, opacity }, escapeXml(shown.join("")));
  };
  const body = text("#000000", 0.55, unit * 1.6) + text("#ffffff", 0.92, 0);
  return svgDocument({ x: 0, y: 0, width, height }, body);
}
