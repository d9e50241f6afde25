// Gradients: a mesh of soft spots of colour that flow into each other, a duotone, or bands; with the grain of film.
import { type Color, colorsOf, leftOver, lightness, mix, wordsIn } from "../art/palette.ts";
import { createRandom, type Random } from "../art/random.ts";
import { backdrop, type Draw, fullBox, type SceneRequest, type Sprite, swing } from "../art/stage.ts";
import { orb } from "../art/svg.ts";

const KINDS: Readonly<Record<string, string>> = {
  duotone: "duotone",
  rings: "rings radial circular spotlight",
  bands: "linear bands stripes",
};
const GRAINY = /^(grain|grainy|noise|noisy|film|textured|risograph)$/;

export const drawGradient: Draw = (request) => {
  const { prompt, variation, style } = request;
  const random = createRandom(`${prompt}\n${variation}`);
  const said = wordsIn(prompt);
  const { words, colors: found } = colorsOf(prompt, random);
  const kindWords = (kind: string): string[] => KINDS[kind]?.split(" ") ?? [];
  const asked = Object.keys(KINDS).find((kind) => kindWords(kind).some((word) => said.includes(word)));
  const kind = style && style !== "auto" ? style : (asked ?? "mesh");
  const colors = spread(found, kind);
  const isShown = (word: string): boolean => GRAINY.test(word) || kindWords(kind).includes(word);
  const shown = new Set([...words, ...said.filter(isShown)]);
  return {
    ...request,
    understood: { drawn: [...shown], not_drawn: leftOver(prompt, new Set([...shown, "soft", "mesh"])) },
    grain: said.some((word) => GRAINY.test(word)) ? 34 : 9,
    paint() {
      const spots = Array.from({ length: kind === "mesh" ? 9 : kind === "duotone" ? 4 : 0 }, (_, i) =>
        spot(request, random.fork(`spot${i}`), `spot${i}`, colors[i % colors.length] ?? ""),
      );
      return [ground(request, kind, colors), ...spots];
    },
  };
};

function ground({ width, height }: SceneRequest, kind: string, colors: readonly Color[]): Sprite {
  const box = fullBox({ width, height });
  if (kind !== "rings") return backdrop("ground", kind === "mesh" ? colors.slice(0, 2) : colors, box);
  const svg = orb("rings", colors, [width / 2, height * 0.56], Math.hypot(width, height) * 0.62);
  return { svg, depth: 0 };
}

function spot({ width, height }: SceneRequest, random: Random, id: string, color: Color): Sprite {
  const r = Math.max(width, height) * random.between(0.32, 0.62);
  const [x, y] = [random.between(-0.1, 1.1) * width, random.between(-0.1, 1.1) * height];
  const stops = ["ff", "e0", "98", "48", "14", "00"].map((opacity) => color + opacity);
  const phase = random.next();
  return {
    svg: orb(id, stops, [x, y], r),
    depth: 0.2,
    move: (turn) => ({ dx: width * 0.1 * swing(turn, phase), dy: height * 0.08 * swing(turn, phase + 0.25) }),
  };
}

/** At least three: between two colours lies what they make together, and next to a single one what light and shade make of it. */
function spread(colors: readonly Color[], kind: string): Color[] {
  const [first = "#888888", second] = colors;
  const light = lightness(first) < 0.35 ? 0.2 : 0.7;
  if (second === undefined) return [mix(first, "#ffffff", light), first, mix(first, "#10122c", 0.45)];
  return colors.length === 2 && kind !== "duotone"
    ? [first, mix(first, second, 0.5), second, mix(second, "#ffffff", 0.35)]
    : [...colors];
}
