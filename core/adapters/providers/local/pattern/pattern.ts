// Patterns: one tile, drawn so that its opposite edges meet, side by side over the whole picture, which repeats as well.
import { drawIcon } from "../art/icons.ts";
import { byLightness, type Color, colorsOf, inTones, leftOver, mix, wordsIn } from "../art/palette.ts";
import { createRandom } from "../art/random.ts";
import type { Draw, SceneRequest, Sprite } from "../art/stage.ts";
import { rect, tag } from "../art/svg.ts";
import { type PromptClaim, labelOf, readPrompt } from "../words/read-prompt.ts";
import { MOTIFS, type Motif } from "./motifs.ts";

const WORDS: Readonly<Record<string, RegExp>> = {
  leaves: /^(leaf|leaves|botanical|foliage|floral|plants?)$/,
  terrazzo: /^(terrazzo|confetti|shards|speckle[ds]?)$/,
  scales: /^(waves?|scales|seigaiha|scallops?|fish-scale)$/,
  fans: /^(fans?|deco)$/,
  arcs: /^(70s|retro|circles?|arcs?|arches)$/,
  tiles: /^(tiles?|geometric|bauhaus|triangles|swiss|checks?)$/,
  dots: /^(dots?|dotted|polka)$/,
  stars: /^(stars?|starry|christmas)$/,
  stripes: /^(stripes?|striped|lines)$/,
};
const RISO = /^(riso|risograph|print|halftone)$/;
const MAX_ICONS = 4;

export const drawPattern: Draw = (request) => {
  const { prompt, variation, style } = request;
  const random = createRandom(`${prompt}\n${variation}`);
  const said = wordsIn(prompt);
  const named = colorsOf(prompt);
  const things = readPrompt(prompt);
  const found = said.flatMap((word) =>
    Object.entries(WORDS).flatMap(([motif, words]) => (words.test(word) ? [{ motif, word }] : [])),
  );
  const isPictured = (style ?? "auto") === "auto" && (found.length === 0 || things.things.length > 1);
  const { icons, pictured } = iconsOf(isPictured ? things.claims : []);
  const motif = style && style !== "auto" ? style : (found[0]?.motif ?? random.pick(Object.keys(WORDS)));
  const draw = icons.length > 0 ? scatterIcons(icons) : (MOTIFS[motif] ?? scatterIcons([]));
  const { colors, tones } = inTones(prompt, random, (some) =>
    named.colors.length === 0 ? [...some] : paletteOf(some, said),
  );
  const [own = "#ffffff", ...inks] = colors;
  // Icons have colours of their own, which would be lost on a full one.
  const ground = icons.length > 0 && named.colors.length > 0 ? mix(own, "#fffdf6", 0.55) : own;
  const riso = said.filter((word) => RISO.test(word));
  // Icons keep their own colours, so that of the ground alone is seen.
  const isSeen = (word: string): boolean =>
    icons.length === 0 ||
    named.colors.length === 1 ||
    paletteOf(named.colors, said)[0] === colorsOf(word).colors[0];
  const motifs = found.filter((one) => one.motif === motif).map(({ word }) => word);
  const claims: Pick<PromptClaim, "words" | "as">[] = [
    ...named.words.filter(isSeen).map((words) => ({ words })),
    ...(icons.length > 0 ? pictured : [...tones, ...motifs].map((words) => ({ words }))),
    ...riso.map((words) => ({ words })),
  ];
  const pieces = new Set(claims.flatMap(({ words }) => words.split(" ")));
  const drawn = [...new Set(claims.map(labelOf))].slice(0, 12);
  return {
    ...request,
    understood: { drawn, not_drawn: leftOver(prompt, pieces) },
    grain: riso.length > 0 ? 22 : 4,
    paint: () => [
      tiled(request, ground, draw({ inks, ground, random: random.fork("tile"), riso: riso.length > 0 })),
    ],
  };
};

/** Whole tiles in both directions. */
function tiled({ width, height }: SceneRequest, ground: Color, tile: string): Sprite {
  const tiles = (side: number): number => Math.max(1, Math.round((side / Math.min(width, height)) * 3));
  const [across, down] = [tiles(width), tiles(height)];
  const [w, h] = [width / across, height / down];
  const uses = Array.from({ length: (across + 2) * (down + 2) }, (_, i) => {
    const [x, y] = [((i % (across + 2)) - 1) * w, (Math.floor(i / (across + 2)) - 1) * h];
    return tag("use", { href: "#tile", transform: `translate(${x} ${y}) scale(${w / 100} ${h / 100})` });
  });
  const box = { x: -w, y: -h, width: width + 2 * w, height: height + 2 * h };
  const svg = rect(box, ground) + tag("defs", {}, tag("g", { id: "tile" }, tile)) + uses.join("");
  // In a clip it moves by one tile, and so ends where it begins.
  return { svg, box, depth: 0, move: (turn) => ({ dx: (turn % 1) * w, dy: (turn % 1) * h }) };
}

/** As many icons as a tile has room for, and what they show. */
function iconsOf(claims: readonly PromptClaim[]): { icons: string[]; pictured: PromptClaim[] } {
  let icons: string[] = [];
  const pictured = claims.filter(({ icon, color }) => {
    const more = [...new Set([...icons, ...(icon?.split("+") ?? [])])];
    if (icon === undefined || color !== undefined || more.length > MAX_ICONS) return false;
    icons = more;
    return true;
  });
  return { icons, pictured };
}

/** The ground first: named as one, else the lightest, or the darkest where gold or neon lies on it. */
function paletteOf(named: readonly Color[], said: readonly string[]): Color[] {
  const light = byLightness(named);
  const [first = ""] = light;
  if (named.length === 1 && said.includes("background")) return [first, "#fbfaf6", "#1b1a1e"];
  if (named.length === 1)
    return [mix(first, "#fffdf6", 0.84), first, mix(first, "#10202c", 0.35), mix(first, "#ffffff", 0.35)];
  if (said.some((word) => /^(gold|golden|neon|deco)$/.test(word))) return light.toReversed();
  return named.length === 2 && !said.some((word) => /^(white|cream|black|ivory|beige)$/.test(word))
    ? ["#f8f1e1", ...named]
    : light;
}

/** Two alternate in both directions, in a half-drop. */
function scatterIcons(icons: readonly string[]): Motif {
  return ({ random }) =>
    [0, 1, 2, 3]
      .map((i) => {
        const [x, y] = [(i % 2) * 50 + 25, Math.floor(i / 2) * 50 + (i % 2) * 25 + 12.5];
        const turns = icons.length > 2 ? i : i + Math.floor(i / 2);
        const icon = drawIcon(icons[turns % icons.length] ?? "", { ambient: "#ffffff", amount: 0 });
        const lay = `rotate(${random.between(-24, 24)}) scale(1.06) translate(-16 -16)`;
        return tag("g", { transform: `translate(${x} ${y}) ${lay}` }, icon);
      })
      .join("");
}
