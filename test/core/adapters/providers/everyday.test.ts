// Two hundred prompts that were written before the painter: how many pictures show their main noun. Forty more: what sketches claim to show,
// compared with the icons in them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawIcon } from "../../../../core/adapters/providers/local/art/icons.ts";
import ownIcons from "../../../../core/adapters/providers/local/art/own-icons.json" with { type: "json" };
import { understandWith } from "../../../../core/adapters/providers/local/art/stage.ts";
import { drawSketch } from "../../../../core/adapters/providers/local/sketch/scene.ts";
import {
  isSynonym,
  loadLexicon,
  readings,
  readJson,
} from "../../../../core/adapters/providers/local/words/lexicon.ts";
import { readPrompt } from "../../../../core/adapters/providers/local/words/read-prompt.ts";
import vocabulary from "../../../../core/adapters/providers/local/words/vocabulary.json" with { type: "json" };
import { showsNoun, svgOf } from "./everyday.ts";

/** The main noun of each prompt. */
const nouns = Object.entries<string>(
  JSON.parse(readFileSync(new URL("everyday-prompts.json", import.meta.url), "utf8")),
);
const PLAIN = { ambient: "#ffffff", amount: 0 };

test("[DRAW-01] at least 195 of 200 everyday prompts show their main noun, or a named stand-in", () => {
  const shown = nouns.filter(([prompt, noun]) => showsNoun(understandWith(drawSketch, prompt), noun));
  expect(nouns.length).toBe(200);
  expect(shown.length).toBeGreaterThanOrEqual(195);
});

type Mark = (svg: string) => boolean;
const has =
  (mark: RegExp): Mark =>
  (svg) =>
    mark.test(svg);
/** The colours of a gradient: of the sky from above, of a ridge from its top. */
function stopsOf(svg: string, id: string): number[][] {
  const [, body = ""] = new RegExp(`id="${id}"[^>]*>(.*?)</linearGradient>`, "s").exec(svg) ?? [];
  return [...body.matchAll(/stop-color="#(..)(..)(..)/g)].map(([, ...rgb]) =>
    rgb.map((channel) => Number.parseInt(channel, 16)),
  );
}
/** In mist and rain the sky of an hour is grey, and only its horizon is warm. */
const hasHour =
  (zenith: RegExp): Mark =>
  (svg) => {
    const [red = 0, , blue = 0] = stopsOf(svg, "sky").at(-1) ?? [];
    return zenith.test(svg) || red > blue;
  };
/** The part of a drawing that only an hour, a weather, a season, a place or a light of this name has. */
const MARKS: Readonly<Record<string, Mark>> = {
  dawn: hasHour(/#34508c/),
  day: has(/#2d78c6/),
  sunset: hasHour(/#2a2c63/),
  dusk: hasHour(/#12193f/),
  night: has(/#060a1e/),
  rain: has(/#e4eef6/),
  storm: has(/#fbfcff/),
  snow: has(/fill="#fff" opacity="0.85"/),
  fog: has(/id="fog"/),
  aurora: has(/id="aurora-soft"/),
  stars: has(/#fff8e4/),
  sea: has(/id="water"/),
  lake: has(/id="water"/),
  room: has(/#b98556/),
  sky: has(/id="clouds0"/),
  // Windows.
  city: has(/M[\d.-]+ [\d.-]+h([\d.]+)v[\d.]+h-\1Z/),
  mountains: has(/id="ridge4"/),
  hills: has(/id="ridge4"/),
  forest: has(/id="ridge4"/),
  desert: has(/id="ridge4"/),
  // The nearest ground is brown, not green.
  autumn(svg) {
    const [red = 0, green = 0] = stopsOf(svg, "ridge4")[0] ?? [];
    return red > green;
  },
  // The nearest ground is white with a shade of blue, not green.
  winter(svg) {
    const [, green = 0, blue = 0] = stopsOf(svg, "ridge4")[0] ?? [];
    return blue > green;
  },
};
const ASPECTS = [
  vocabulary.times,
  vocabulary.weathers,
  vocabulary.seasons,
  vocabulary.places,
  vocabulary.lights,
].flatMap((names) => Object.entries(names));

/** Which icons a drawing has, by their shapes: colours change with the light. */
const NAMES = new Map<string, string[]>();
const shapeOf = (svg: string): string => svg.replace(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi, "");
const { icons } = readJson(import.meta.resolve("@iconify-json/fluent-emoji-flat/icons.json")) as {
  icons: Record<string, { body: string }>;
};
for (const [name, body] of [
  ...Object.entries(icons).map(([one, { body: svg }]) => [one, svg] as const),
  ...Object.entries(ownIcons),
])
  NAMES.set(shapeOf(body), [...(NAMES.get(shapeOf(body)) ?? []), name]);
function iconsIn(svg: string): Set<string> {
  const bodies = svg.matchAll(/<svg [^>]*viewBox="0 0 32 32"[^>]*>(.*?)<\/svg>/gs);
  return new Set([...bodies].flatMap(([, body = ""]) => NAMES.get(shapeOf(body)) ?? []));
}

/** Whether the drawing bears a claim out: an icon of this name or a checked synonym, the mark of an aspect, or the stand-in it names. */
function isBorneOut(claim: string, svg: string): boolean {
  const placed = iconsIn(svg);
  const isPlaced = (name: string): boolean => placed.has(name.replaceAll(" ", "-"));
  const isMarked = (name: string): boolean => MARKS[name]?.(svg) ?? false;
  const [, , standIn] = /^(.+) \(drawn as: (.+)\)$/.exec(claim) ?? [];
  if (standIn !== undefined)
    return isPlaced(standIn) || standIn.split(" and ").every(isPlaced) || isMarked(standIn);
  const words = readings(claim).map((reading) => reading.words);
  const isMeant = ([, list]: [string, string]): boolean => words.some((word) => isSynonym(list, word));
  return (
    words.some(isPlaced) ||
    Object.entries(vocabulary.things).some(
      (thing) => isMeant(thing) && thing[0].split("+").every((icon) => placed.has(icon)),
    ) ||
    ASPECTS.some((aspect) => isMeant(aspect) && isMarked(aspect[0]))
  );
}

/** Whether a thing takes the colour of this name. */
function isTaken(claim: string, prompt: string): boolean {
  const [hex] = Object.entries(vocabulary.colors).find(([, list]) => isSynonym(list, claim)) ?? [];
  return readPrompt(prompt).things.some(({ color }) => color !== undefined && color === hex);
}

test("[DRAW-02] sketches of forty everyday prompts claim only what is drawn, and name stand-ins", () => {
  const forty: string[] = JSON.parse(readFileSync(new URL("sheet-prompts.json", import.meta.url), "utf8"));
  const claims = forty.flatMap((prompt) => {
    const scene = drawSketch({ prompt, width: 400, height: 400, variation: "1" });
    expect(scene.understood).toEqual(understandWith(drawSketch, prompt));
    const svg = svgOf(scene);
    return scene.understood.drawn.map((claim) => ({
      prompt,
      claim,
      isDrawn: isBorneOut(claim, svg) || isTaken(claim, prompt),
    }));
  });
  expect(claims.length).toBeGreaterThan(40);
  expect(claims.filter(({ isDrawn }) => !isDrawn)).toEqual([]);
});

test.each([
  ["a checked synonym", "a lorry", ["lorry"], []],
  ["a keyword", "an espresso", ["espresso (drawn as: hot beverage)"], []],
  ["a narrower word", "three labradors", ["labradors (drawn as: dog)"], []],
  ["a symbol", "hope", ["hope (drawn as: seedling)"], []],
  ["a place of a kind", "Paris at night", ["paris (drawn as: city)", "night"], []],
  ["words of style", "a cinematic photo of a fox, 4k", ["fox"], ["cinematic", "photo", "4k"]],
  ["a colour that nothing takes", "a fox before a red sunset", ["fox", "sunset"], ["red"]],
  ["a colour of what is black", "a red piano", ["piano"], ["red"]],
  ["a colour that is seen", "a red balloon", ["red", "balloon"], []],
  ["what a table has no room for", "five lemons on a table in the rain", ["lemons", "table"], ["rain"]],
  ["a sky over land", "birds in the sky, countryside", ["birds", "sky", "countryside"], []],
  ["a light that the hour does not have", "the moon over a hill at noon", ["hill", "noon"], ["moon"]],
  ["what a picture is for", "foxes for a children's room", ["foxes"], ["children", "room"]],
  ["where a thing is", "a gift for grandma on a table", ["gift", "table"], ["grandma"]],
  ["the material of a thing", "a red paper boat", ["red", "boat"], ["paper"]],
  ["materials and formats", "tiles, wrapping paper, a card", [], ["tiles", "paper", "card"]],
  ["nothing", "qwertz asdf", [], ["qwertz", "asdf"]],
])("[DRAW-02] a sketch reports %s as what it draws", (_what, prompt, drawn, not_drawn) => {
  expect(understandWith(drawSketch, prompt)).toEqual({ drawn, not_drawn });
});

test("every word of the vocabulary has a drawing", () => {
  const missing = [...loadLexicon().icons].filter(([, icon]) =>
    icon.split("+").some((name) => drawIcon(name, PLAIN) === ""),
  );
  expect(missing).toEqual([]);
});

test("a thing on top of another is drawn after it", () => {
  const request = { prompt: "an owl in an old oak tree", width: 400, height: 300, variation: "" };
  // Each icon starts as a group. The owl comes after its tree, and inside it.
  const sprites = drawSketch(request).paint();
  const icons = sprites.filter(({ svg }) => svg.includes('viewBox="0 0 32 32"')).slice(-2);
  const [tree, owl] = icons.map(({ box }) => box);
  if (!tree || !owl) throw new Error("something is missing");
  expect(owl.width).toBeLessThan(tree.width);
  expect([owl.x > tree.x, owl.x + owl.width < tree.x + tree.width]).toEqual([true, true]);
});

describe("a prompt is parsed for", () => {
  test.each([
    ["numbers", "five lemons", [{ icon: "lemon", count: 5 }]],
    ["groups", "a flock of geese", [{ icon: "goose", count: 5 }]],
    ["plurals", "wolves", [{ icon: "wolf", count: 3 }]],
    ["more than fits into a picture", "900 ants", [{ icon: "ant", count: 12 }]],
    ["names of several words", "a hot air balloon", [{ icon: "hot-air-balloon", count: 1 }]],
    ["synonyms", "a corgi puppy", [{ icon: "dog", count: 1 }]],
    ["colours of things", "a purple umbrella", [{ icon: "umbrella", count: 1, color: "#7d48c4" }]],
    [
      "things on top of others",
      "an owl on a rock",
      [
        { icon: "owl", count: 1, on: "rock" },
        { icon: "rock", count: 1 },
      ],
    ],
    [
      "clothes",
      "a hedgehog wearing a hat",
      [
        { icon: "hedgehog", count: 1 },
        { icon: "top-hat", count: 1, wornBy: "hedgehog" },
      ],
    ],
    ["activities", "a woman running", [{ icon: "woman-running", count: 1 }]],
    [
      "signs",
      "🦊 & 🐙",
      [
        { icon: "fox", count: 1 },
        { icon: "octopus", count: 1 },
      ],
    ],
  ])("%s", (_what, prompt, things) => {
    expect(readPrompt(prompt).things).toEqual(things);
  });

  test("hour, weather, season and place", () => {
    expect(readPrompt("a misty winter morning by the lake")).toMatchObject({
      things: [],
      time: "dawn",
      weathers: ["fog"],
      season: "winter",
      places: ["lake"],
    });
  });

  test("only what can be drawn, and lists the rest as missing", () => {
    const { things, left } = readPrompt(
      "a fox, a cat, a dog, a cow, a pig, a hen, a duck, a goat and a zebra",
    );
    expect(things).toHaveLength(7);
    expect(left).toEqual(["goat", "zebra"]);
  });
});
