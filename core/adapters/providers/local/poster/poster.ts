// Posters: the words of the prompt, set large in open fonts on a grid, with what belongs to their style.
import { type Color, lightness } from "../art/color.ts";
import { byLightness, colorsOf, seenOn } from "../art/palette.ts";
import tables from "../art/palettes.json" with { type: "json" };
import { createRandom, type Random } from "../art/random.ts";
import { type Draw, drawSprites, frameOf, fullBox, type SceneRequest } from "../art/stage.ts";
import { tag } from "../art/svg.ts";
import { breakings, fill, fitLine, type SetLine, setLine, type Typeface } from "../art/type.ts";
import { drawGround, viewOf } from "../landscape/landscape.ts";
import { Refused } from "../maker.ts";
import { readPrompt } from "../words/read-prompt.ts";
import { type Copy, readCopy, type Style } from "./copy.ts";
import { ornament, type Sheet } from "./ornament.ts";

const FACES: Readonly<Record<Style, Typeface>> = {
  bold: "condensed",
  swiss: "grotesque",
  elegant: "serif",
  deco: "deco",
  travel: "condensed",
};

/** Throws `Refused` where no word of the prompt can be set. */
export const drawPoster: Draw = (request) => {
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const copy = readCopy(request.prompt, request.style, random.fork("style"));
  if (copy.headline.length === 0)
    throw new Refused(
      "Poster sets words, and its fonts have letters for none of this prompt. Write a line of text.",
    );
  const frame = frameOf(request);
  const { width, height, unit } = frame;
  const sheet: Sheet = {
    ...frame,
    margin: unit * 64,
    random,
    ...seen(inksOf(copy, request.prompt, random.fork("inks"))),
  };
  const body = tag("rect", { ...fullBox(frame), fill: sheet.paper }) + layOut(sheet, copy, request);
  const svg = tag("g", {}, body);
  return {
    ...request,
    width,
    height,
    sprites: [{ svg, box: fullBox(frame), depth: 0 }],
    understood: copy.understood,
    grain: 6,
  };
};

type Inks = Pick<Sheet, "paper" | "ink" | "accent">;

function seen({ paper, ink, accent }: Inks): Inks {
  return { paper, ink: seenOn(paper, ink, 0.4), accent: seenOn(paper, accent, 0.28) };
}

function inksOf({ style }: Copy, prompt: string, random: Random): Inks {
  const named = byLightness(colorsOf(prompt).words.length > 0 ? colorsOf(prompt).colors : []);
  const [first = "", second = first, third] = named;
  if (named.length === 0) {
    const dark = style === "deco" || style === "elegant";
    const [paper = "", accent = "", ink = ""] = dark
      ? random.pick([
          ["#1a2850", "#c9a24b", "#f6ecd4"],
          ["#f6efe2", "#b08a3c", "#2b2a33"],
          ["#10302b", "#d8b25c", "#f3ead8"],
        ])
      : random.pick(tables.sets);
    return { paper, accent, ink };
  }
  const deep = lightness(named.at(-1) ?? "") < 0.3 ? (named.at(-1) ?? "") : "#1b1a1e";
  if (named.length === 1)
    return lightness(first) < 0.35
      ? { paper: first, ink: "#f6ecd4", accent: "#c9a24b" }
      : { paper: "#f8f2e4", ink: "#1b1a1e", accent: first };
  if (third) return { paper: first, accent: second, ink: deep };
  // Of two, the light one is for ink where the other is dark, as gold on navy; else both stand on paper.
  if (style === "elegant" || style === "deco")
    return { paper: deep, ink: lightness(first) > 0.8 ? first : "#f6ecd4", accent: first };
  return lightness(first) > 0.75
    ? { paper: first, ink: deep, accent: second }
    : { paper: "#f8f2e4", ink: deep, accent: first };
}

function layOut(sheet: Sheet, copy: Copy, request: SceneRequest): string {
  const { width, height, margin, unit, ink, accent } = sheet;
  const centred = copy.style === "elegant" || copy.style === "deco";
  const small = smallPrint(sheet, copy, centred);
  const top =
    copy.style === "travel"
      ? height * 0.6
      : copy.style === "bold"
        ? margin
        : height * (centred ? 0.32 : 0.36);
  // Elegant sprigs close below the words.
  const below = small.height > 0 ? 44 : copy.style === "elegant" ? 56 : 0;
  const foot = height - margin - small.height - unit * below;
  const face = FACES[copy.style];
  const lines = headline(
    copy,
    face,
    width - 2 * margin - (centred ? unit * 90 : 0),
    foot - top,
    copy.style === "bold" || copy.style === "travel",
  );
  const tall =
    lines.reduce((sum, { above, below, gap }) => sum + above + below + gap, 0) - (lines[0]?.gap ?? 0);
  // Centred in the room that is left; a Swiss headline stands on its foot.
  let y =
    copy.style === "swiss" || copy.style === "travel"
      ? foot - tall
      : top + Math.max(0, (foot - top - tall) / 2);
  const body = lines.map((line, i) => {
    const x = centred ? (width - line.width) / 2 : margin;
    y += (i === 0 ? 0 : line.gap) + line.above;
    const color =
      copy.style === "elegant" || (copy.style === "bold" && i === lines.length - 1 && lines.length > 1)
        ? accent
        : ink;
    const drawn = place(line, x, y, color);
    y += line.below;
    return drawn;
  });
  const picture =
    copy.style === "travel"
      ? scenery(sheet, request, height * 0.58)
      : ornament(sheet, copy.style, { top: y - tall, tall });
  return picture + body.join("") + small.svg;
}

type Row = SetLine & { readonly gap: number };

const SMALL_WORD = /^(a|an|and|at|by|for|from|in|of|on|or|the|to|with)$/i;

/** The number of lines that sets the words largest in the room; bold ones are each as wide as the room. */
function headline(
  { headline: words }: Copy,
  face: Typeface,
  width: number,
  height: number,
  justified: boolean,
): Row[] {
  const tracking = face === "deco" ? 0.03 : 0;
  const broken = breakings(words, face, 7);
  // Of a bold headline each line is as wide as the room, so a small word alone would be the loudest.
  const loud = justified ? broken.filter((lines) => !lines.some((line) => SMALL_WORD.test(line))) : [];
  const takes = (loud.length > 0 ? loud : broken).map((lines): Row[] => {
    const widest = Math.max(...lines.map((line) => setLine(line, face, 100, tracking).width));
    const set = lines.map((line) =>
      justified
        ? fitLine(line, face, width, tracking)
        : setLine(line, face, (100 * width) / Math.max(1, widest), tracking),
    );
    const gapOf = ({ size }: SetLine): number => size * (justified ? 0.09 : face === "grotesque" ? 0.2 : 0.3);
    const tall = set.reduce((sum, line) => sum + line.above + line.below + gapOf(line), 0);
    const shrink = Math.min(1, height / tall);
    return set.map((line, i) => {
      const again = shrink === 1 ? line : setLine(lines[i] ?? "", face, line.size * shrink, tracking);
      return { ...again, gap: gapOf(again) };
    });
  });
  const area = (rows: Row[]): number => rows.reduce((sum, { width: wide, above }) => sum + wide * above, 0);
  return takes.reduce((best, next) => (area(next) > area(best) ? next : best), takes[0] ?? []);
}

function place({ path, left }: SetLine, x: number, y: number, color: Color): string {
  return tag("path", { d: path, fill: color, transform: `translate(${x - left} ${y})` });
}

/** What else is said, a column for each part, or a line for each where all is centred. */
function smallPrint(
  sheet: Sheet,
  { details, style }: Copy,
  centred: boolean,
): { svg: string; height: number } {
  const { width, height, margin, unit, ink } = sheet;
  if (details.length === 0) return { svg: "", height: 0 };
  const columns = centred ? 1 : Math.min(3, details.length);
  const wide = (width - 2 * margin - (columns - 1) * unit * 36) / columns;
  const long = details.join(" ").length > 260;
  const size = unit * (long ? 15 : style === "bold" || style === "travel" ? 36 : 31);
  const face = style === "elegant" ? "italic" : style === "bold" || style === "travel" ? "grotesque" : "text";
  const scale = face === "grotesque" ? 0.72 : 1;
  const broken = details.map((words) =>
    fill(
      words,
      words.map((word) => setLine(word, face, size * scale).width + size * 0.27),
      wide,
    ),
  );
  const stacks = Array.from({ length: columns }, (_, column) =>
    broken.filter((_, i) => i % columns === column).flat(),
  );
  const deep = Math.max(...stacks.map((lines) => lines.length)) * size * 1.32;
  const lift = centred ? unit * 70 : 0;
  const svg = stacks.map((lines, column) =>
    lines
      .map((text, i) => {
        const line = setLine(text, face, size * scale);
        const x = centred ? (width - line.width) / 2 : margin + column * (wide + unit * 36);
        return place(line, x, height - margin - lift - deep + (i + 0.85) * size * 1.32, ink);
      })
      .join(""),
  );
  const rule = centred
    ? ""
    : tag("rect", {
        x: margin,
        y: height - margin - deep - unit * 24,
        width: width - 2 * margin,
        height: unit * 4,
        fill: ink,
      });
  return { svg: rule + svg.join(""), height: deep + lift };
}

/** The landscape of a travel poster, in a window with round corners. */
function scenery(sheet: Sheet, request: SceneRequest, bottom: number): string {
  const { width, margin, unit } = sheet;
  const [w, h] = [width - 2 * margin, bottom - margin];
  const { sprites } = drawGround(viewOf({ ...request, width: w, height: h }, readPrompt(request.prompt)));
  const clip = tag("clipPath", { id: "window" }, tag("rect", { width: w, height: h, rx: unit * 14 }));
  return (
    clip +
    tag(
      "g",
      { transform: `translate(${margin} ${margin})` },
      tag("g", { "clip-path": "url(#window)" }, drawSprites(sprites)),
    )
  );
}
