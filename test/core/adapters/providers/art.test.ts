// The built-in models: the printed text of a poster, the repetition of a pattern, the colours of a gradient, and what each reports.
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../../core/adapters/providers/local/art/random.ts";
import { type Draw, understandWith } from "../../../../core/adapters/providers/local/art/stage.ts";
import { setLine } from "../../../../core/adapters/providers/local/art/type.ts";
import { drawStill } from "../../../../core/adapters/providers/local/frames.ts";
import { drawGradient } from "../../../../core/adapters/providers/local/gradient/gradient.ts";
import { drawLandscape } from "../../../../core/adapters/providers/local/landscape/landscape.ts";
import { drawPattern } from "../../../../core/adapters/providers/local/pattern/pattern.ts";
import { readCopy, chooseStyle } from "../../../../core/adapters/providers/local/poster/copy.ts";
import { drawPoster } from "../../../../core/adapters/providers/local/poster/poster.ts";
import { svgOf } from "./everyday.ts";

const SIDE = 240;

const RAW = { width: SIDE, height: SIDE, channels: 4 } as const;

async function drawn(draw: Draw, prompt: string, variation = "1", style?: string) {
  const scene = draw({ prompt, width: SIDE, height: SIDE, variation, style });
  return sharp(await drawStill(scene, () => {}), { raw: RAW }).removeAlpha();
}

/** Of red, green and blue. */
async function meanOf(draw: Draw, prompt: string, variation?: string): Promise<number[]> {
  const { channels } = await (await drawn(draw, prompt, variation)).stats();
  return channels.map(({ mean }) => mean);
}

describe("a poster", () => {
  test.each([
    ["prints each part", "Jazz night, Friday 9 pm", "Jazz night", ["Friday 9 pm"], []],
    ["prints only quoted text", '"Less, but better" in black, Swiss style', "Less, but better", [], []],
    ["leaves out words about the style", "Wedding of Anna, elegant gold and navy", "Wedding of Anna", [], []],
    [
      "names an unsupported style",
      '"Go" as a watercolour, cinematic',
      "Go",
      [],
      ["watercolour", "cinematic"],
    ],
    ["keeps a time of day whole", "Techno, doors 22:00", "Techno", ["doors 22:00"], []],
    ["prints a right-to-left script", "שלום עולם", "שלום עולם", [], []],
    ["keeps a colour word that is no colour", "Three tones, live", "Three tones", ["live"], []],
    ["leaves out symbols", "Party 🎉 tonight", "Party tonight", [], []],
  ])("%s", (_what, prompt, headline, details, missing) => {
    const copy = readCopy(prompt, chooseStyle(prompt, undefined, createRandom("")), []);
    expect(copy.headline.join(" ")).toBe(headline);
    expect(copy.details.map((words) => words.join(" "))).toEqual(details);
    expect(copy.understood.not_drawn).toEqual(missing);
    expect(setLine(headline, "condensed", 100).width).toBeGreaterThan(50);
  });

  test("reports of a prompt of 4,000 characters only the printed part", () => {
    const prompt = Array.from({ length: 570 }, (_, i) => `word${i}`).join(" ");
    const { headline, details, understood } = readCopy(prompt, "bold", []);
    expect(headline.length + details.flat().length).toBeLessThan(150);
    expect(understood.not_drawn).toContain(
      "word569".replace("569", String(headline.length + details.flat().length)),
    );
    expect(understandWith(drawPoster, prompt)).toEqual(understood);
  });
});

test.each([
  ["Summer sale in warm colours", "Summer sale", ["warm"], []],
  ["Summer sale, pastel tones", "Summer sale", ["pastel"], []],
  ["Night market in dark blue", "Night market", ["blue", "dark"], []],
  ["Open day with happy cool shades", "Open day", ["cool"], ["happy"]],
  ["Jazz in sunset colours", "Jazz", ["sunset"], []],
])("of %s a poster prints only %s, and its colours follow the rest", (prompt, printed, seen, missed) => {
  const { drawn, not_drawn } = understandWith(drawPoster, prompt);
  expect([drawn[0], drawn.slice(1).toSorted(), not_drawn]).toEqual([printed, seen, missed]);
});

test.each(
  [
    ["leaves", "terrazzo", "scales", "fans", "arcs", "tiles", "dots", "stars", "stripes"].map(
      (style) => [style, "blue and green", style] as const,
    ),
    [["icons", "foxes and mushrooms", undefined] as const],
  ].flat(),
)("a pattern of %s tiles in both directions", async (_name, prompt, style) => {
  const pixels = await (await drawn(drawPattern, prompt, "1", style)).raw().toBuffer();
  const third = SIDE / 3;
  let [across, down] = [0, 0];
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++) {
      const value = (px: number, py: number): number => pixels[((py % SIDE) * SIDE + (px % SIDE)) * 3] ?? 0;
      if (Math.abs(value(x, y) - value(x + third, y)) > 24) across++;
      if (Math.abs(value(x, y) - value(x, y + third)) > 24) down++;
    }
  // Antialiasing may differ at edges. A different tile would differ in thousands of pixels.
  expect(Math.max(across, down)).toBeLessThan(100);
  expect(new Set(pixels).size).toBeGreaterThan(3);
});

test.each([
  ["poster", drawPoster],
  ["pattern", drawPattern],
  ["gradient", drawGradient],
  ["landscape", drawLandscape],
])("for a %s words that name parts of every object are only words", (_name, draw) => {
  const prompt = "a blue constructor, __proto__ and hasownproperty";
  expect(JSON.stringify(understandWith(draw, prompt))).toContain("constructor");
});

test("a gradient has the colours that its prompt names", async () => {
  const [warm, cool] = await Promise.all(
    ["red and orange", "navy and blue"].map((prompt) => meanOf(drawGradient, prompt)),
  );
  expect(warm?.[0]).toBeGreaterThan((warm?.[2] ?? 0) + 60);
  expect(cool?.[2]).toBeGreaterThan((cool?.[0] ?? 0) + 60);
});

describe("a landscape", () => {
  const forty: readonly string[] = JSON.parse(
    readFileSync(new URL("sheet-prompts.json", import.meta.url), "utf8"),
  );

  test("has other colours for each of forty prompts, most of which name no place", () => {
    const coloursOf = (prompt: string) => {
      const svg = svgOf(drawLandscape({ prompt, width: SIDE, height: SIDE, variation: "1/0" }));
      return [...new Set(svg.match(/#[0-9a-f]{6}\b/g))].toSorted().join(" ");
    };
    const byColours = Map.groupBy(forty, coloursOf);
    expect([...byColours.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  test("reports the same for every seed, and is the same for the same one", () => {
    for (const prompt of forty)
      for (const variation of ["1", "2", "3"]) {
        const draw = () => drawLandscape({ prompt, width: 64, height: 64, variation });
        expect([prompt, draw().understood]).toEqual([prompt, understandWith(drawLandscape, prompt)]);
        expect(svgOf(draw())).toBe(svgOf(draw()));
      }
  });
});

test("water mirrors what stands behind it", async () => {
  const scene = drawLandscape({ prompt: "a lake at noon", width: SIDE, height: SIDE, variation: "1" });
  const water = scene.paint().find(({ svg }) => svg.includes('id="water"'));
  if (!water?.box) throw new Error("there is no water");
  const top = Math.ceil(water.box.y);
  const redOf = async (svg: string): Promise<number> => {
    const pixels = await drawStill({ ...scene, paint: () => [{ ...water, svg }] }, () => {});
    const reds = pixels.subarray(top * SIDE * 4, (top + 40) * SIDE * 4).filter((_, i) => i % 4 === 0);
    return reds.reduce((sum, red) => sum + red, 0) / reds.length;
  };
  const ridges = water.svg.replaceAll(/fill="url\(#ridge\d\)"/g, 'fill="#f00"');
  expect((await redOf(ridges)) - (await redOf(water.svg))).toBeGreaterThan(20);
});

test.each([
  ["landscape", drawLandscape, "a fox by a lake at dawn", ["lake", "dawn"], ["fox"]],
  ["landscape", drawLandscape, "autumn hills, birds in the sky", ["autumn", "hills", "birds", "sky"], []],
  ["gradient", drawGradient, "peach lemons, grainy", ["peach", "grainy"], ["lemons"]],
  [
    "landscape",
    drawLandscape,
    "a red barn with puppies, 3d",
    ["barn", "puppies (drawn as: dog)"],
    ["red", "3d"],
  ],
  ["gradient", drawGradient, "blue rings and stripes", ["blue", "rings"], ["stripes"]],
  ["pattern", drawPattern, "teal waves with joy", ["teal", "waves"], ["joy"]],
  [
    "pattern",
    drawPattern,
    "owls, foxes, bees, frogs and snails in red and blue",
    ["owls", "foxes", "bees", "frogs"],
    ["snails", "red", "blue"],
  ],
  ["poster", drawPoster, '"Go" in bright black', ["Go", "black"], ["bright"]],
  ["poster", drawPoster, '"Go" in an elegant Swiss style', ["Go", "Swiss"], ["elegant"]],
])("a %s reports only what it shows", (_name, draw, prompt, drawn, notDrawn) => {
  const { drawn: shown, not_drawn } = understandWith(draw, prompt);
  expect([[...shown].toSorted(), not_drawn]).toEqual([drawn.toSorted(), notDrawn]);
});

const luma = ([red = 0, green = 0, blue = 0]: number[]): number => 0.3 * red + 0.59 * green + 0.11 * blue;

test.each([
  ["warm", ([red = 0, , blue = 0]: number[]) => red > blue],
  ["cool", ([red = 0, , blue = 0]: number[]) => red < blue],
  ["dark", (rgb: number[]) => luma(rgb) < 110],
  ["pale", (rgb: number[]) => luma(rgb) > 150],
])(
  "a gradient or a pattern that reports %s is, whatever the chance, and another is not said to be",
  async (tone, isSo) => {
    for (const [draw, what] of [
      [drawGradient, "gradient"],
      [drawPattern, "stripes"],
    ] as const)
      for (const words of ["", "sunset ", "blue ", "orange "]) {
        const prompt = `${tone} ${words}${what}`;
        const { drawn, not_drawn } = understandWith(draw, prompt);
        expect([prompt, drawn.includes(tone), not_drawn.includes(tone)]).toEqual([
          prompt,
          !not_drawn.includes(tone),
          not_drawn.includes(tone),
        ]);
        for (const variation of drawn.includes(tone) ? ["1", "2", "3"] : []) {
          expect([prompt, isSo(await meanOf(draw, prompt, variation))]).toEqual([prompt, true]);
        }
      }
    expect(understandWith(drawGradient, `${tone} gradient`)).toEqual({ drawn: [tone], not_drawn: [] });
  },
);

test("a pattern shows each icon that it reports", () => {
  const bodies = [
    "an owl",
    "an owl and a fox",
    "an owl, a fox and a bee",
    "an owl, a fox, a bee and a frog",
  ].map((prompt) => {
    const { svg = "" } = drawPattern({ prompt, width: 64, height: 64, variation: "" }).paint()[0] ?? {};
    return new Set([...svg.matchAll(/<g transform="[^"]*rotate[^"]*">(.*?)<\/g>/gs)].map(([, body]) => body))
      .size;
  });
  expect(bodies).toEqual([1, 2, 3, 4]);
});

test("a poster refuses a prompt without a printable word", () => {
  const { paint } = drawPoster({ prompt: "🎉✨", width: 64, height: 64, variation: "" });
  expect(paint).toThrow("Poster");
});
