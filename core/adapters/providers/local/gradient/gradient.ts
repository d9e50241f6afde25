// Gradients: a mesh of soft spots of colour that flow into each other, a duotone, or bands; with the grain of film.
import { type Color, mix } from "../art/color.ts";
import { colorsOf, leftOver, wordsIn } from "../art/palette.ts";
import tables from "../art/palettes.json" with { type: "json" };
import { createRandom } from "../art/random.ts";
import { backdrop, type Draw, frameOf, fullBox, type Sprite, swing } from "../art/stage.ts";
import { gradient as fade, tag } from "../art/svg.ts";

const KINDS: Readonly<Record<string, string>> = {
  duotone: "duotone",
  rings: "rings radial circular spotlight",
  bands: "linear bands stripes",
};
const GRAINY = /^(grain|grainy|noise|noisy|film|textured|risograph)$/;

export const drawGradient: Draw = (request) => {
  const { prompt, variation, style } = request;
  const frame = frameOf(request);
  const { width, height } = frame;
  const random = createRandom(`${prompt}\n${variation}`);
  const said = wordsIn(prompt);
  const named = colorsOf(prompt);
  const kinds = Object.entries(KINDS).filter(([, words]) =>
    words.split(" ").some((word) => said.includes(word)),
  );
  const kind = style && style !== "auto" ? style : (kinds[0]?.[0] ?? "mesh");
  const colors = spread(named.colors.length > 0 ? named.colors : random.pick(tables.sets), kind);
  const sprites = kind === "bands" || kind === "duotone" ? [backdrop(frame, "bands", colors)] : [];
  if (kind === "rings") {
    const disc = {
      cx: width / 2,
      cy: height * 0.56,
      r: Math.hypot(width, height) * 0.62,
      fill: "url(#rings)",
    };
    sprites.push({
      svg: fade("rings", colors, "radial") + tag("circle", disc),
      box: fullBox(frame),
      depth: 0,
    });
  }
  if (kind === "mesh") sprites.push(backdrop(frame, "ground", colors.slice(0, 2)));
  const spots = kind === "mesh" ? 9 : kind === "duotone" ? 4 : 0;
  const shown = new Set([
    ...named.words,
    ...said.filter((word) => GRAINY.test(word) || KINDS[kind]?.split(" ").includes(word)),
  ]);
  return {
    ...request,
    sprites: [...sprites, ...Array.from({ length: spots }, (_, i) => spot(i))],
    understood: { drawn: [...shown], not_drawn: leftOver(prompt, new Set([...shown, "soft", "mesh"])) },
    grain: said.some((word) => GRAINY.test(word)) ? 34 : 9,
  };

  function spot(i: number): Sprite {
    const own = random.fork(`spot${i}`);
    const color = colors[i % colors.length] ?? "";
    const r = Math.max(width, height) * own.between(0.32, 0.62);
    const [x, y] = [own.between(-0.1, 1.1) * width, own.between(-0.1, 1.1) * height];
    const stops = ["ff", "e0", "98", "48", "14", "00"].map((opacity) => color + opacity);
    const svg =
      fade(`spot${i}`, stops, "radial") + tag("circle", { cx: x, cy: y, r, fill: `url(#spot${i})` });
    const phase = own.next();
    const move = (turn: number) => ({
      dx: width * 0.1 * swing(turn, phase),
      dy: height * 0.08 * swing(turn, phase + 0.25),
    });
    return { svg, box: { x: x - r, y: y - r, width: r * 2, height: r * 2 }, depth: 0.2, move };
  }
};

/** At least three: between two colours lies what they make together, and next to a single one what light and shade make of it. */
function spread(colors: readonly Color[], kind: string): Color[] {
  const [first = "#888888", second] = colors;
  if (second === undefined) return [mix(first, "#ffffff", 0.7), first, mix(first, "#10122c", 0.45)];
  return colors.length === 2 && kind !== "duotone"
    ? [first, mix(first, second, 0.5), second, mix(second, "#ffffff", 0.35)]
    : [...colors];
}
