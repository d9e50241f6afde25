// Two hundred prompts that were written before the painter: how many pictures show their main noun.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawIcon } from "../../../../core/adapters/providers/local/art/icons.ts";
import { drawSketch } from "../../../../core/adapters/providers/local/sketch/scene.ts";
import { loadLexicon } from "../../../../core/adapters/providers/local/words/lexicon.ts";
import { readPrompt } from "../../../../core/adapters/providers/local/words/read-prompt.ts";
import { showsNoun } from "./everyday.ts";

const prompts = JSON.parse(readFileSync(new URL("everyday-prompts.json", import.meta.url), "utf8")) as {
  prompt: string;
  noun: string;
}[];
const PLAIN = { ambient: "#ffffff", amount: 0 };

test("[DRAW-01] at least 195 of 200 everyday prompts show their main noun", () => {
  const shown = prompts.filter(({ prompt, noun }) => showsNoun(readPrompt(prompt).understood, noun));
  expect(prompts.length).toBe(200);
  expect(shown.length).toBeGreaterThanOrEqual(195);
});

test("every word of the vocabulary has a drawing", () => {
  const missing = [...loadLexicon().icons].filter(([, icon]) =>
    icon.split("+").some((name) => drawIcon(name, PLAIN) === ""),
  );
  expect(missing).toEqual([]);
});

test("a thing on top of another is drawn after it", () => {
  const { sprites } = drawSketch({
    prompt: "an owl in an old oak tree",
    width: 400,
    height: 300,
    variation: "",
  });
  // Each icon starts as a group. The owl comes after its tree, and inside it.
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
        { icon: "owl", count: 1, on: 1 },
        { icon: "rock", count: 1 },
      ],
    ],
    [
      "clothes",
      "a hedgehog wearing a hat",
      [
        { icon: "hedgehog", count: 1 },
        { icon: "top-hat", count: 1, wornBy: 0 },
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
    const { things, understood } = readPrompt(
      "a fox, a cat, a dog, a cow, a pig, a hen, a duck, a goat and a zebra",
    );
    expect(things).toHaveLength(7);
    expect(understood.not_drawn).toEqual(["goat", "zebra"]);
  });
});
