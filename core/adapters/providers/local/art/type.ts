// Words as outlines: shaped by HarfBuzz with open fonts from packages, so that a poster needs no font of the machine it is drawn on.
import { readFileSync } from "node:fs";
import { Blob, Buffer, Face, Font, shape } from "harfbuzzjs";
import { placed } from "./svg.ts";

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

/** Where a word has such letters, the face that has them; null is any Latin one. */
const LETTERS: readonly (readonly [RegExp, Typeface | null])[] = [
  [/\p{Script=Arabic}/u, "arabic"],
  [/\p{Script=Hebrew}/u, "hebrew"],
  [/[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u, "wide"],
  [/[\p{Script=Latin}\p{N}]/u, null],
];

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
  const loaded = fonts.get(face);
  if (loaded) return loaded;
  const file = new URL(import.meta.resolve(`@expo-google-fonts/${FILES[face]}`));
  const font = new Font(new Face(new Blob(readFileSync(file))));
  fonts.set(face, font);
  return font;
}

/** Whether anything of a word can be set. */
export function canBeSet(word: string): boolean {
  return LETTERS.some(([letters]) => letters.test(word));
}

/** The face that has the letters: the one that is asked for, if it does. */
function faceFor(word: string, face: Typeface): Typeface {
  return LETTERS.find(([letters]) => letters.test(word))?.[1] ?? face;
}

function isRightToLeft(text: string): boolean {
  return /arabic|hebrew/.test(faceFor(text, "text"));
}

/** One line in a size. Signs that no face has are left out. */
export function setLine(text: string, face: Typeface, size: number): SetLine {
  // Words stand in the order of the line's script; the letters of each in that of its own.
  const words = text.split(/\s+/).filter(Boolean);
  if (isRightToLeft(text)) words.reverse();
  const gap = size * (face === "condensed" ? 0.2 : 0.26);
  const line = { path: "", above: 0, below: 0 };
  let [x, left, right] = [-gap, Infinity, -Infinity];
  for (const word of words) {
    x += gap;
    const font = fontOf(faceFor(word, face));
    const scale = size / font.face.upem;
    for (const { glyph, xAdvance, xOffset, yOffset } of glyphsOf(word, font)) {
      const ink = font.glyphExtents(glyph);
      if (ink && ink.width !== 0) {
        const [at, y] = [x + xOffset * scale, -yOffset * scale];
        line.path += placed(font.glyphToPath(glyph), [at, y], scale);
        left = Math.min(left, at + ink.xBearing * scale);
        right = Math.max(right, at + (ink.xBearing + ink.width) * scale);
        line.above = Math.max(line.above, ink.yBearing * scale - y);
        line.below = Math.max(line.below, -(ink.yBearing + ink.height) * scale + y);
      }
      x += xAdvance * scale;
    }
  }
  return right < left ? { ...line, left: 0, width: 0, size } : { ...line, left, width: right - left, size };
}

/** 0 is the glyph of what the font has no letter for. */
function glyphsOf(word: string, font: Font) {
  const buffer = new Buffer();
  buffer.addText(word);
  buffer.guessSegmentProperties();
  shape(font, buffer);
  const positions = buffer.getGlyphPositions();
  const glyphs = buffer.getGlyphInfos().map(({ codepoint }, i) => ({ glyph: codepoint, ...positions[i] }));
  return glyphs.flatMap(({ glyph, xAdvance = 0, xOffset = 0, yOffset = 0 }) =>
    glyph === 0 ? [] : [{ glyph, xAdvance, xOffset, yOffset }],
  );
}

/** Breaks words into lines whose longest is as short as can be, for each number of lines up to `most`. */
export function breakings(words: readonly string[], face: Typeface, most: number): string[][] {
  const widths = words.map((word) => setLine(word, face, 100).width + 24);
  const [widest, all] = [Math.max(...widths), widths.reduce((sum, width) => sum + width, 0)];
  // Of those with as many lines, the narrowest remains.
  const byLength = new Map(
    Array.from({ length: 60 }, (_, i) => fill(words, widths, all + 0.01 + (widest - all) * (i / 59))).map(
      (lines) => [lines.length, lines],
    ),
  );
  return [...byLength.values()].filter(({ length }) => length <= most);
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
