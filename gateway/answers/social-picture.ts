// Link previews: 1200 by 630, the name at the left, the product's cover at the right. PNG, because previews show no SVG.
import { fileURLToPath } from "node:url";
import { type Cover, drawCover, escapeXml } from "../../runtime/covers/cover-art.ts";

export const SOCIAL_SIZE = { width: 1200, height: 630 } as const;

const PAPER = "#faf8f4";
const INK = "#1f1c18";
const SOFT = "#5c554b";
const ACCENT = "#a83f1b";
const LEFT = 64;
const SITE = "Atelier";
const NOT_IN_FONT = /[^\u0020-\u024f\u2010-\u203a\u20a0-\u20bf\u2122]/gu;

export type SocialPicture = {
  readonly title: string;
  /** A line below it. */
  readonly line: string;
  readonly cover?: Cover;
};

export async function drawSocialPicture({ title, line, cover }: SocialPicture): Promise<Buffer> {
  const room = cover ? 500 : 1_000;
  const size = cover ? 58 : 84;
  await loadFont();
  const titleLines = await breakWords(title, size, { width: room, lines: cover ? 4 : 3 });
  const top = 315 - ((titleLines.length - 1) * size * 1.15) / 2;
  const lineSize = cover ? 26 : 34;
  const below = await breakWords(line, lineSize, { width: room, lines: 2 });
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SOCIAL_SIZE.width} ${SOCIAL_SIZE.height}" width="${SOCIAL_SIZE.width}" height="${SOCIAL_SIZE.height}">`,
    `<rect width="1200" height="630" fill="${PAPER}"/>`,
    cover
      ? `<svg x="600" y="0" width="840" height="630" viewBox="0 0 800 600">${drawCover(cover)}</svg>`
      : sideArt(),
    `<rect x="${LEFT}" y="56" width="52" height="52" rx="13" fill="${ACCENT}"/>`,
    `<path transform="translate(${LEFT} 56) scale(1.625)" d="M9 24 16 8l7 16M11.6 18.5h8.8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>`,
    drawWords(SITE, { x: LEFT + 70, y: 95, size: 36, fill: INK }),
    ...titleLines.map((words, i) =>
      drawWords(words, { x: LEFT, y: Math.round(top + i * size * 1.15), size, fill: INK }),
    ),
    ...below.map((words, i) =>
      drawWords(words, {
        x: LEFT,
        y: Math.round(top + (titleLines.length - 1) * size * 1.15 + lineSize * 2 + i * lineSize * 1.35),
        size: lineSize,
        fill: SOFT,
      }),
    ),
    "</svg>",
  ].join("");
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(svg)).png({ palette: true, effort: 4 }).toBuffer();
}

function sideArt(): string {
  const right = SOCIAL_SIZE.width;
  return `<circle cx="${right - 60}" cy="120" r="200" fill="#fbe9e1"/><circle cx="${right}" cy="520" r="150" fill="${ACCENT}"/>`;
}

/** The site's icon on a phone's home screen. */
export async function drawTouchIcon(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 180 180" width="180" height="180"><rect width="180" height="180" fill="${ACCENT}"/><path transform="translate(18 18) scale(4.5)" d="M9 24 16 8l7 16M11.6 18.5h8.8" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}

/** Open Sans Bold: Latin and its extensions, without hints. Its licence is next to it. */
const FONT_FILE = fileURLToPath(new URL("./open-sans-bold.ttf", import.meta.url));

let font: Promise<number> | undefined;

/** Makes the font known to this process: `drawWords` finds it then. */
async function loadFont(): Promise<void> {
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
function drawWords(
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
