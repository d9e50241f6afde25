// Posters: the words of the prompt, set large in open fonts on a grid, with what belongs to their style: circles, frames, fans of rays.
import { byLightness, type Color, colorsOf, lightness, seenOn } from "../art/palette.ts";
import { createRandom, type Random } from "../art/random.ts";
import { type Draw, type Frame, frameOf, fullBox, type Sprite } from "../art/stage.ts";
import { circle, path, rect } from "../art/svg.ts";
import { breakings, fill, type SetLine, setLine, type Typeface } from "../art/type.ts";
import { drawGround, viewOf } from "../landscape/landscape.ts";
import { Refused } from "../maker.ts";
import { chooseStyle, type Copy, readCopy, type Style } from "./copy.ts";

type Sheet = Frame & {
  readonly margin: number;
  readonly paper: Color;
  readonly ink: Color;
  readonly accent: Color;
  readonly random: Random;
};

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
function inksOf(style: Style, prompt: string, random: Random) {
  const isFormal = style === "deco" || style === "elegant";
  const { words: seen, colors } = colorsOf(prompt, random);
  const named = seen.length > 0 ? inksFrom(byLightness(colors), isFormal) : undefined;
  const [paper = "", accent = "", ink = ""] = named ?? (isFormal ? random.pick(DARK_SETS) : colors);
  return { paper, accent, ink, seen };
}

function inksFrom(named: readonly Color[], isFormal: boolean): Color[] {
  const [first = "", second = first] = named;
  const darkest = named.at(-1) ?? "";
  const deep = lightness(darkest) < 0.35 ? darkest : "#1b1a1e";
  // A light one is for ink where the other is dark, as gold on navy; else both stand on paper.
  if (deep === first) return [deep, "#c9a24b", "#f6ecd4"];
  if (isFormal && lightness(first) > 0.45) return [deep, first, "#f6ecd4"];
  return named.length > 2 || lightness(first) > 0.75 ? [first, second, deep] : ["#f8f2e4", first, deep];
}

function layOut(sheet: Sheet, copy: Copy): string {
  const { width, height, margin, unit, ink, accent } = sheet;
  const { style } = copy;
  const { centred, top: share } = SETTINGS[style];
  const small = smallPrint(sheet, copy);
  const top = style === "bold" ? margin : height * share;
  const foot = height - margin - small.height - (small.height > 0 ? unit * 44 : 0);
  const rows = headline(copy, width - 2 * margin - (centred ? unit * 90 : 0), foot - top);
  const tall = tallOf(rows) - (rows[0]?.gap ?? 0);
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
  return ornament(sheet, style, start) + body.join("") + small.svg;
}

type Row = SetLine & { readonly gap: number };

function tallOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { above, below, gap }) => sum + above + below + gap, 0);
}

/** The number of lines that sets the words largest in the room; bold ones are each as wide as the room. */
function headline({ headline: words, style }: Copy, width: number, height: number): Row[] {
  const { face, justified } = SETTINGS[style];
  const lead = justified ? 0.09 : face === "grotesque" ? 0.2 : 0.3;
  const broken = breakings(words, face, 7);
  // Of a bold headline each line is as wide as the room, so a small word alone would be the loudest.
  const loud = justified ? broken.filter((lines) => !lines.some((line) => SMALL_WORD.test(line))) : [];
  const takes = (loud.length > 0 ? loud : broken).map((lines): Row[] => {
    const widths = lines.map((line) => Math.max(1, setLine(line, face, 100).width));
    const widest = Math.max(...widths);
    const rowsIn = (share: number): Row[] =>
      lines.map((line, i) => {
        const size = (share * 100 * width) / (justified ? (widths[i] ?? 1) : widest);
        return { ...setLine(line, face, size), gap: size * lead };
      });
    return rowsIn(Math.min(1, height / tallOf(rowsIn(1))));
  });
  const area = (rows: Row[]): number => rows.reduce((sum, { width: wide, above }) => sum + wide * above, 0);
  return takes.toSorted((a, b) => area(b) - area(a))[0] ?? [];
}

function place(line: SetLine, x: number, y: number, fill: Color): string {
  return path(line.path, { fill, transform: `translate(${x - line.left} ${y})` });
}

/** What else is said, with dots between its parts, under a rule. */
function smallPrint(sheet: Sheet, { details, style }: Copy): { svg: string; height: number } {
  const { width, height, margin, unit, ink } = sheet;
  if (details.length === 0) return { svg: "", height: 0 };
  const { small: face, centred } = SETTINGS[style];
  const words = details
    .map((part) => part.join(" "))
    .join(" · ")
    .split(" ");
  const size = unit * (words.length > 40 ? 15 : words.length > 16 ? 28 : 40);
  const set = (text: string): SetLine => setLine(text, face, size);
  const widths = words.map((word) => set(word).width + size * 0.27);
  const texts = fill(words, widths, width - 2 * margin - (centred ? unit * 90 : 0));
  const deep = texts.length * size * 1.32;
  const top = height - margin - deep - (centred ? unit * 50 : 0);
  const rows = texts.map((text, i) => {
    const line = set(text);
    return place(line, centred ? (width - line.width) / 2 : margin, top + (i + 0.85) * size * 1.32, ink);
  });
  const over = { x: margin, y: top - unit * 24, width: width - 2 * margin, height: unit * 4 };
  return { svg: (centred ? "" : rect(over, ink)) + rows.join(""), height: height - margin - top };
}

/** `top` is where the words begin. */
function ornament(sheet: Sheet, style: Style, top: number): string {
  if (style === "swiss") return shapes(sheet, top);
  return style === "deco" || style === "elegant"
    ? frame(sheet, style === "deco" ? 3 : 1) + rays(sheet, top)
    : "";
}

/** In the room above the headline: something large, and something small next to it. */
function shapes({ width, margin, unit, accent, ink, random }: Sheet, top: number): string {
  const side = Math.min(top - margin - unit * 60, width - 2 * margin);
  if (side <= unit * 120) return "";
  const [right, small] = [width - margin, side * 0.16];
  const large = random
    .fork("shapes")
    .pick([
      circle(right - side / 2, margin + side / 2, side / 2, accent),
      path(`M${right - side} ${margin}a${side} ${side} 0 0 0 ${side} ${side}v${-side}Z`, accent),
    ]);
  return large + circle(margin + small, margin + small, small, ink);
}

function frame({ width, height, unit, accent }: Sheet, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const inset = unit * (34 + 13 * i);
    const box = { x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset };
    return rect(box, { fill: "none", stroke: accent, "stroke-width": unit * (i === 1 ? 6 : 2.5) });
  }).join("");
}

/** A half sun over the words. */
function rays({ width, margin, unit, accent, paper }: Sheet, top: number): string {
  const foot = top - unit * 52;
  const reach = Math.min(foot - margin - unit * 50, width * 0.4);
  if (reach < unit * 60) return "";
  const beams = Array.from({ length: 25 }, (_, i) => {
    const turn = (Math.PI * i) / 24;
    const at = (r: number): string => `${width / 2 - Math.cos(turn) * r} ${foot - Math.sin(turn) * r}`;
    return `M${at(reach * 0.3)}L${at(reach * (i % 2 === 0 ? 1 : 0.78))}`;
  });
  const dome = (r: number, fill: string): string =>
    path(`M${width / 2 - r} ${foot}A${r} ${r} 0 0 1 ${width / 2 + r} ${foot}Z`, fill);
  return (
    path(beams, { stroke: accent, "stroke-width": unit * 5 }) +
    dome(reach * 0.3, accent) +
    dome(reach * 0.16, paper)
  );
}
