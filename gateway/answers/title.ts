// Text on pictures, in a font next to this file, because servers often have none. Letters of European languages in Latin script.
import { fileURLToPath } from "node:url";
import { escapeXml } from "../../runtime/covers/cover-art.ts";

/** Open Sans Bold: Latin and its extensions, without hints. Its licence is next to it. */
const FONT_FILE = fileURLToPath(new URL("./open-sans-bold.ttf", import.meta.url));
const NOT_IN_FONT = /[^\u0020-\u024f\u2010-\u203a\u20a0-\u20bf\u2122]/gu;

let font: Promise<number> | undefined;

/** Makes the font known to this process: `drawWords` finds it then. */
export async function loadFont(): Promise<void> {
  font ??= widthOf("A", 12);
  await font;
}

/** The width of the text at this size, in pixels. */
async function widthOf(words: string, size: number): Promise<number> {
  const text = { text: escapeXml(words), font: `Open Sans Bold ${size}`, fontfile: FONT_FILE, dpi: 72 };
  const { default: sharp } = await import("sharp");
  const { info } = await sharp({ text }).raw().toBuffer({ resolveWithObject: true });
  return info.width;
}

/** The text as SVG, with its baseline starting at (x, y). */
export function drawWords(
  words: string,
  { x, y, size, fill }: { x: number; y: number; size: number; fill: string },
): string {
  return `<text x="${x}" y="${y}" font-family="Open Sans" font-weight="700" font-size="${size}" fill="${fill}">${escapeXml(words)}</text>`;
}

/**
 * Wraps text into lines of at most this width; the last one ends with an ellipsis if there is more. Letters that the font lacks are left
 * out.
 */
export async function breakWords(
  words: string,
  size: number,
  { width, lines }: { width: number; lines: number },
): Promise<string[]> {
  const fits = async (text: string) => (await widthOf(text, size)) <= width;
  const broken: string[] = [];
  let line = "";
  for (const word of words.replaceAll(NOT_IN_FONT, " ").split(/\s+/).filter(Boolean)) {
    if (broken.length > lines) break;
    const longer = line === "" ? word : `${line} ${word}`;
    if (await fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") broken.push(line);
    line = (await fits(word)) ? word : await cut(word, fits);
  }
  if (line !== "") broken.push(line);
  if (broken.length <= lines) return broken;
  const last = broken[lines - 1] ?? "";
  return [...broken.slice(0, lines - 1), await cut(last, fits)];
}

/** The longest beginning that fits with an ellipsis. */
async function cut(words: string, fits: (text: string) => Promise<boolean>): Promise<string> {
  const letters = [...words.replace(/…$/, "")];
  const upTo = (count: number) => `${letters.slice(0, count).join("").trimEnd()}…`;
  let [low, high] = [1, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await fits(upTo(middle))) low = middle;
    else high = middle - 1;
  }
  return upTo(low);
}
