// Words drawn as shapes, because servers often have no fonts. Letters of western European languages.
import data from "./title-letters.json" with { type: "json" };

type Letter = { readonly width: number; readonly path: string };

const LETTERS = new Map<string, Letter>(Object.entries(data.letters));
const EM = 1_000;
const UNKNOWN: Letter = { width: 600, path: "" };

/** Of the words at this size, in pixels. */
function widthOf(words: string, size: number): number {
  let width = 0;
  for (const letter of words) width += (LETTERS.get(letter) ?? UNKNOWN).width;
  return (width * size) / EM;
}

/** The words as SVG, with their baseline starting at (x, y). Letters we do not have become gaps. */
export function drawWords(
  words: string,
  { x, y, size, fill }: { x: number; y: number; size: number; fill: string },
): string {
  let at = 0;
  const paths: string[] = [];
  for (const letter of words) {
    const { width, path } = LETTERS.get(letter) ?? UNKNOWN;
    if (path !== "") paths.push(`<path transform="translate(${at})" d="${path}"/>`);
    at += width;
  }
  return `<g fill="${fill}" transform="translate(${x} ${y}) scale(${size / EM})">${paths.join("")}</g>`;
}

/** Breaks words into lines of at most this width; the last one ends with an ellipsis if there is more. */
export function breakWords(
  words: string,
  size: number,
  { width, lines }: { width: number; lines: number },
): string[] {
  const broken: string[] = [];
  let line = "";
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") broken.push(line);
    line = cut(word, size, width);
  }
  if (line !== "") broken.push(line);
  if (broken.length <= lines) return broken;
  const kept = broken.slice(0, lines);
  return [...kept.slice(0, -1), cut(`${kept.at(-1) ?? ""}…`, size, width)];
}

function cut(word: string, size: number, width: number): string {
  if (widthOf(word, size) <= width) return word;
  const letters = [...word.replace(/…$/, "")];
  while (letters.length > 1 && widthOf(`${letters.join("")}…`, size) > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
