// The prompt, set small along the lower edge of a picture.
import { escapeText, group, n } from "./svg.ts";

const MAX_CHARACTERS = 90;

/** A whole SVG document, to be laid over the finished picture: brush strokes would make it unreadable. */
export function createCaption(prompt: string, width: number, height: number): string {
  const unit = Math.min(width, height) / 1000;
  const line = prompt.replace(/\s+/g, " ").trim();
  const characters = [...line];
  const shown =
    characters.length > MAX_CHARACTERS
      ? `${characters
          .slice(0, MAX_CHARACTERS - 1)
          .join("")
          .trimEnd()}…`
      : line;
  // Long captions are set smaller, so that they end before the edge.
  const size = Math.min(unit * 26, (width * 0.9) / (Math.max(1, [...shown].length) * 0.56));
  const text = (color: string, shift: number): string =>
    `<text x="${n(unit * 36 + shift)}" y="${n(height - unit * 36 + shift)}" font-family="DejaVu Sans, Liberation Sans, Noto Sans, sans-serif" font-size="${n(size)}" fill="${color}">${escapeText(shown)}</text>`;
  const body =
    group(text("#000000", unit * 1.6), 'opacity="0.55"') + group(text("#ffffff", 0), 'opacity="0.92"');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`;
}
