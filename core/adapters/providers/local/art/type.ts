// Words as outlines: shaped by HarfBuzz with open fonts from packages, so that a poster needs no font of the machine it is drawn on.
import { readFileSync } from "node:fs";
import { Blob, Buffer, Face, Font, shape } from "harfbuzzjs";

/** All under the SIL Open Font License. Faces of one script each; the last three stand in where a Latin one has no letters. */
const FILES = {
  condensed: "anton/400Regular/Anton_400Regular.ttf",
  grotesque: "archivo-black/400Regular/ArchivoBlack_400Regular.ttf",
  serif: "dm-serif-display/400Regular/DMSerifDisplay_400Regular.ttf",
  italic: "dm-serif-display/400Regular_Italic/DMSerifDisplay_400Regular_Italic.ttf",
  deco: "limelight/400Regular/Limelight_400Regular.ttf",
  text: "questrial/400Regular/Questrial_400Regular.ttf",
  arabic: "lalezar/Lalezar_400Regular.ttf",
  hebrew: "secular-one/400Regular/SecularOne_400Regular.ttf",
  wide: "dela-gothic-one/400Regular/DelaGothicOne_400Regular.ttf",
} as const;

export type Typeface = keyof typeof FILES;

/** Scripts whose letters one of the faces has. */
const SETTABLE =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{N}]/u;
const WIDE = /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Outlines around a baseline that begins at (0, 0), y downwards, in the size they were set in. */
export type SetLine = {
  /** Data of an SVG path. */
  readonly path: string;
  /** From the first to the last drop of ink, which begins at `left`. */
  readonly left: number;
  readonly width: number;
  /** How far the ink reaches above and below the baseline. */
  readonly above: number;
  readonly below: number;
  readonly size: number;
};

const fonts = new Map<Typeface, Font>();

function fontOf(face: Typeface): Font {
  let font = fonts.get(face);
  if (!font) {
    const file = new URL(import.meta.resolve(`@expo-google-fonts/${FILES[face]}`));
    fonts.set(face, (font = new Font(new Face(new Blob(readFileSync(file))))));
  }
  return font;
}

/** Whether anything of a word can be set. */
export function canBeSet(word: string): boolean {
  return SETTABLE.test(word);
}

/** The face that has the letters: the one that is asked for, if it does. */
function faceFor(word: string, face: Typeface): Typeface {
  if (/\p{Script=Arabic}/u.test(word)) return "arabic";
  if (/\p{Script=Hebrew}/u.test(word)) return "hebrew";
  return WIDE.test(word) ? "wide" : face;
}

/** One line in a size; `tracking` is added between letters, in parts of the size. Signs that no face has are left out. */
export function setLine(text: string, face: Typeface, size: number, tracking = 0): SetLine {
  // Words stand in the order of the line's script; the letters of each in that of its own.
  const words = text.split(/\s+/).filter(Boolean);
  if (RIGHT_TO_LEFT.test(text)) words.reverse();
  const gap = size * (face === "condensed" ? 0.2 : 0.26) + tracking * size;
  const pen = { x: 0, path: "", left: Infinity, right: -Infinity, above: 0, below: 0 };
  for (const [i, word] of words.entries()) {
    if (i > 0) pen.x += gap;
    setWord(word, fontOf(faceFor(word, face)), size, tracking * size, pen);
  }
  const { path, above, below } = pen;
  const [left, width] = pen.right < pen.left ? [0, 0] : [pen.left, pen.right - pen.left];
  return { path, left, width, above, below, size };
}

type Pen = { x: number; path: string; left: number; right: number; above: number; below: number };

function setWord(word: string, font: Font, size: number, tracking: number, pen: Pen): void {
  const scale = size / font.face.upem;
  const buffer = new Buffer();
  buffer.addText(word);
  buffer.guessSegmentProperties();
  shape(font, buffer);
  const positions = buffer.getGlyphPositions();
  // Letters that join stay joined.
  const apart = RIGHT_TO_LEFT.test(word) ? 0 : tracking;
  for (const [i, { codepoint: glyph }] of buffer.getGlyphInfos().entries()) {
    if (glyph === 0) continue;
    const { xAdvance, xOffset, yOffset } = positions[i] ?? { xAdvance: 0, xOffset: 0, yOffset: 0 };
    const ink = font.glyphExtents(glyph);
    if (ink && ink.width !== 0) {
      const [x, y] = [pen.x + xOffset * scale, -yOffset * scale];
      pen.path += moved(font.glyphToPath(glyph), scale, x, y);
      pen.left = Math.min(pen.left, x + ink.xBearing * scale);
      pen.right = Math.max(pen.right, x + (ink.xBearing + ink.width) * scale);
      pen.above = Math.max(pen.above, ink.yBearing * scale - y);
      pen.below = Math.max(pen.below, -(ink.yBearing + ink.height) * scale + y);
    }
    pen.x += xAdvance * scale + apart;
  }
}

/** A glyph's path in the units of its font, y upwards, as one in pixels, y downwards. */
function moved(path: string, scale: number, x: number, y: number): string {
  let isX = false;
  return path.replace(/-?\d+(?:\.\d+)?|[A-Z]/g, (part) => {
    if (part >= "A") {
      isX = true;
      return part;
    }
    const value = isX ? x + Number(part) * scale : y - Number(part) * scale;
    isX = !isX;
    return `${value.toFixed(1)} `;
  });
}

/** The same line so that its ink is as wide as asked. */
export function fitLine(text: string, face: Typeface, width: number, tracking = 0): SetLine {
  const probe = setLine(text, face, 100, tracking);
  return probe.width === 0 ? probe : setLine(text, face, (100 * width) / probe.width, tracking);
}

/** Breaks words into lines whose longest is as short as can be, for each number of lines up to `most`. */
export function breakings(words: readonly string[], face: Typeface, most: number): string[][] {
  const widths = words.map((word) => setLine(word, face, 100).width + 24);
  const runs = widths.flatMap((_, from) =>
    widths.slice(from).map((_, i, rest) => rest.slice(0, i + 1).reduce((sum, width) => sum + width)),
  );
  const widest = Math.max(...widths);
  const filled = runs
    .filter((run) => run >= widest)
    .toSorted((a, b) => a - b)
    .map((run) => fill(words, widths, run + 0.01));
  return Array.from({ length: most }, (_, i) => filled.find(({ length }) => length <= i + 1) ?? []).filter(
    ({ length }, i) => length === i + 1,
  );
}

/** Puts as many words into each line as fit its width. */
export function fill(words: readonly string[], widths: readonly number[], width: number): string[] {
  const lines: string[] = [];
  let room = 0;
  for (const [i, word] of words.entries()) {
    const needed = widths[i] ?? 0;
    if (lines.length > 0 && needed <= room) lines[lines.length - 1] += ` ${word}`;
    else {
      lines.push(word);
      room = width;
    }
    room -= needed;
  }
  return lines;
}
