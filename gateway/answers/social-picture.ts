// Link previews: 1200 by 630, the name at the left, the product's cover at the right. PNG, because previews show no SVG.
import { type Cover, drawCover } from "../../runtime/covers/cover-art.ts";
import { breakWords, drawWords, loadFont } from "./title.ts";

export const SOCIAL_SIZE = { width: 1200, height: 630 } as const;

const PAPER = "#faf8f4";
const INK = "#1f1c18";
const SOFT = "#5c554b";
const ACCENT = "#a83f1b";
const LEFT = 64;
const SITE = "Atelier";

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
