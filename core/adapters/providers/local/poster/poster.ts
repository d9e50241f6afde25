// Posters: the words of the prompt, set large in open fonts on a grid, with what belongs to their style.
import { byLightness, type Color, colorsOf, inTones, lightness, seenOn } from "../art/palette.ts";
import { createRandom, type Random } from "../art/random.ts";
import { type Draw, frameOf, fullBox, type Sprite } from "../art/stage.ts";
import { path, rect } from "../art/svg.ts";
import { breakings, fill, type SetLine, setLine, type Typeface } from "../art/type.ts";
import { drawGround, viewOf } from "../landscape/landscape.ts";
import { Refused } from "../maker.ts";
import { chooseStyle, type Copy, readCopy, type Style } from "./copy.ts";
import { ornament, type Sheet } from "./ornament.ts";

const SMALL_WORD = /^(a|an|and|at|by|for|from|in|of|on|or|the|to|with)$/i;

type Setting = {
  readonly face: Typeface;
  /** Of the small print. */
  readonly small: Typeface;
  readonly centred?: true;
  /** Each line of the headline is as wide as the sheet. */
  readonly justified?: true;
  /** Where the room of the headline begins, in parts of the height. */
  readonly top: number;
};

const SETTINGS: Readonly<Record<Style, Setting>> = {
  bold: { face: "condensed", small: "grotesque", justified: true, top: 0 },
  swiss: { face: "grotesque", small: "text", top: 0.36 },
  elegant: { face: "serif", small: "italic", centred: true, top: 0.32 },
  deco: { face: "deco", small: "text", centred: true, top: 0.32 },
  travel: { face: "condensed", small: "grotesque", justified: true, top: 0.6 },
};

/** Painting throws `Refused` where no word of the prompt can be set. */
export const drawPoster: Draw = (request) => {
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const style = chooseStyle(request.prompt, request.style, random.fork("style"));
  const { seen, ...colors } = inksOf(style, request.prompt, random.fork("inks"));
  const copy = readCopy(request.prompt, style, seen);
  const paint = (): Sprite[] => {
    if (copy.headline.length === 0)
      throw new Refused(
        "Poster sets words, and its fonts have letters for none of this prompt. Write a line of text.",
      );
    const frame = frameOf(request);
    const { paper, ink, accent } = colors;
    const inks = { paper, ink: seenOn(paper, ink, 0.4), accent: seenOn(paper, accent, 0.28) };
    const sheet: Sheet = { ...frame, margin: frame.unit * 64, random, ...inks };
    const top = style === "travel" ? frame.height * PICTURE : 0;
    const words = { svg: rect(fullBox(frame, top), paper) + layOut(sheet, copy), depth: 0 };
    return top > 0 ? [...drawGround(viewOf({ ...request, height: top })).sprites, words] : [words];
  };
  return { ...request, understood: copy.understood, grain: 6, paint };
};

/** How much of a travel poster is its landscape. */
const PICTURE = 0.58;

const DARK_SETS = [
  ["#1a2850", "#c9a24b", "#f6ecd4"],
  ["#f6efe2", "#b08a3c", "#2b2a33"],
  ["#10302b", "#d8b25c", "#f3ead8"],
];

/** Paper, accent and ink: the first covers most. `seen` are the words of the prompt that they follow. */
function inksOf(
  style: Style,
  prompt: string,
  random: Random,
): Pick<Sheet, "paper" | "ink" | "accent"> & { seen: readonly string[] } {
  const isFormal = style === "deco" || style === "elegant";
  const { words } = colorsOf(prompt);
  // A tone of named colours is that of the colours themselves, wherever the poster has them: dark blue on cream.
  const { colors, tones } = inTones(prompt, random, (some) => [...some]);
  const [paper = "", accent = "", ink = ""] =
    words.length > 0
      ? inksFrom(byLightness(colors), isFormal)
      : isFormal && tones.length === 0
        ? random.pick(DARK_SETS)
        : colors;
  return { paper, accent, ink, seen: [...words, ...tones] };
}

function inksFrom(named: readonly Color[], isFormal: boolean): Color[] {
  const [first = "", second = first, third] = named;
  const darkest = named.at(-1) ?? "";
  const deep = lightness(darkest) < 0.3 ? darkest : "#1b1a1e";
  if (named.length === 1)
    return lightness(first) < 0.35 ? [first, "#c9a24b", "#f6ecd4"] : ["#f8f2e4", first, "#1b1a1e"];
  if (third) return [first, second, deep];
  // Of two, the light one is for ink where the other is dark, as gold on navy; else both stand on paper.
  if (isFormal) return [deep, first, lightness(first) > 0.8 ? first : "#f6ecd4"];
  return lightness(first) > 0.75 ? [first, second, deep] : ["#f8f2e4", first, deep];
}

function layOut(sheet: Sheet, copy: Copy): string {
  const { width, height, margin, unit, ink, accent } = sheet;
  const { style } = copy;
  const { centred, top: share } = SETTINGS[style];
  const small = smallPrint(sheet, copy);
  const top = style === "bold" ? margin : height * share;
  // Elegant sprigs close below the words.
  const below = small.height > 0 ? 44 : style === "elegant" ? 56 : 0;
  const foot = height - margin - small.height - unit * below;
  const rows = headline(copy, width - 2 * margin - (centred ? unit * 90 : 0), foot - top);
  const tall = rows.reduce((sum, { above, below, gap }) => sum + above + below + gap, -(rows[0]?.gap ?? 0));
  // Centred in the room that is left; a Swiss headline stands on its foot.
  const stands = style === "swiss" || style === "travel";
  const start = stands ? foot - tall : top + Math.max(0, (foot - top - tall) / 2);
  let y = start - (rows[0]?.gap ?? 0);
  const body = rows.map((line, i) => {
    const isLast = i === rows.length - 1 && rows.length > 1;
    const fill = style === "elegant" || (style === "bold" && isLast) ? accent : ink;
    const baseline = y + line.gap + line.above;
    y = baseline + line.below;
    return place(line, centred ? (width - line.width) / 2 : margin, baseline, fill);
  });
  return ornament(sheet, style, { top: start, tall }) + body.join("") + small.svg;
}

type Row = SetLine & { readonly gap: number };

/** The number of lines that sets the words largest in the room; bold ones are each as wide as the room. */
function headline({ headline: words, style }: Copy, width: number, height: number): Row[] {
  const { face, justified } = SETTINGS[style];
  const tracking = face === "deco" ? 0.03 : 0;
  const lead = justified ? 0.09 : face === "grotesque" ? 0.2 : 0.3;
  const broken = breakings(words, face, 7);
  // Of a bold headline each line is as wide as the room, so a small word alone would be the loudest.
  const loud = justified ? broken.filter((lines) => !lines.some((line) => SMALL_WORD.test(line))) : [];
  const takes = (loud.length > 0 ? loud : broken).map((lines): Row[] => {
    const probes = lines.map((line) => setLine(line, face, 100, tracking));
    const widest = Math.max(1, ...probes.map((line) => line.width));
    const sizes = probes.map((line) => (100 * width) / (justified ? line.width || width : widest));
    const tallOf = ({ above, below }: SetLine, i: number): number =>
      ((above + below) / 100 + lead) * (sizes[i] ?? 0);
    const tall = probes.map(tallOf).reduce((sum, one) => sum + one, 0);
    return lines.map((line, i) => {
      const size = (sizes[i] ?? 0) * Math.min(1, height / tall);
      return { ...setLine(line, face, size, tracking), gap: size * lead };
    });
  });
  const area = (rows: Row[]): number => rows.reduce((sum, { width: wide, above }) => sum + wide * above, 0);
  return takes.toSorted((a, b) => area(b) - area(a))[0] ?? [];
}

function place(line: SetLine, x: number, y: number, fill: Color): string {
  return path(line.path, { fill, transform: `translate(${x - line.left} ${y})` });
}

/** What else is said, a column for each part, or a line for each where all is centred. */
function smallPrint(sheet: Sheet, { details, style }: Copy): { svg: string; height: number } {
  const { width, height, margin, unit, ink } = sheet;
  if (details.length === 0) return { svg: "", height: 0 };
  const { small: face, centred } = SETTINGS[style];
  const columns = centred ? 1 : Math.min(3, details.length);
  const wide = (width - 2 * margin - (columns - 1) * unit * 36) / columns;
  const size = unit * (details.join(" ").length > 260 ? 15 : face === "grotesque" ? 36 : 31);
  const set = (text: string): SetLine => setLine(text, face, size * (face === "grotesque" ? 0.72 : 1));
  const widths = (words: readonly string[]) => words.map((word) => set(word).width + size * 0.27);
  const broken = details.map((words) => fill(words, widths(words), wide));
  const stacks = Array.from({ length: columns }, (_, column) =>
    broken.filter((_, i) => i % columns === column).flat(),
  );
  const deep = Math.max(...stacks.map(({ length }) => length)) * size * 1.32;
  const lift = centred ? unit * 70 : 0;
  const svg = stacks.flatMap((texts, column) =>
    texts.map((text, i) => {
      const line = set(text);
      const x = centred ? (width - line.width) / 2 : margin + column * (wide + unit * 36);
      return place(line, x, height - margin - lift - deep + (i + 0.85) * size * 1.32, ink);
    }),
  );
  const over = { x: margin, y: height - margin - deep - unit * 24, width: width - 2 * margin };
  const rule = centred ? "" : rect({ ...over, height: unit * 4 }, ink);
  return { svg: rule + svg.join(""), height: deep + lift };
}
