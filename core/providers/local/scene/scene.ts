// From a prompt to a drawing: reads the words, picks colours and a composition, and gives SVG for any moment.
import { composeConstellation } from "./constellation.ts";
import { composeGeometric } from "./geometric.ts";
import { composeLandscape } from "./landscape.ts";
import { readPalette } from "./palette.ts";
import { createRandom, type Random } from "./random.ts";
import { composeRibbons } from "./ribbons.ts";
import { composeSkyline } from "./skyline.ts";
import type { Drawing, Motion, Stage } from "./stage.ts";
import { speaksOf, wordsOf } from "./words.ts";

const COMPOSITIONS = {
  landscape: composeLandscape,
  skyline: composeSkyline,
  geometric: composeGeometric,
  ribbons: composeRibbons,
  constellation: composeConstellation,
} as const satisfies Record<string, (stage: Stage) => Drawing>;

export type Composition = keyof typeof COMPOSITIONS;

export const COMPOSITION_NAMES = Object.keys(COMPOSITIONS) as Composition[];

export type SceneRequest = {
  prompt: string;
  width: number;
  height: number;
  composition: Composition | "auto";
  /** What the model likes to draw when the prompt leaves it open. */
  likes: readonly [Composition, ...Composition[]];
  /** Different for every take on the same prompt. */
  variation: string;
};

/** A whole SVG document for a moment of the scene. */
export type Scene = (motion: Motion) => string;

export function createScene(request: SceneRequest): Scene {
  const { prompt, width, height } = request;
  const words = wordsOf(prompt);
  const random = createRandom(`${prompt}\n${request.variation}`);
  const stage: Stage = {
    width,
    height,
    unit: Math.min(width, height) / 1000,
    words,
    palette: readPalette(words, random.fork("palette")),
    random: random.fork("scene"),
  };
  const composition =
    request.composition === "auto"
      ? chooseComposition(words, request.likes, random.fork("composition"))
      : request.composition;
  const drawing = COMPOSITIONS[composition](stage);
  return (motion) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawing(motion)}</svg>`;
}

const SPEAKS_OF: readonly (readonly [Composition, string])[] = [
  [
    "geometric",
    "geometric geometry bauhaus poster shape shapes cubist circle square triangle pattern mosaic tile minimal abstract logo",
  ],
  [
    "skyline",
    "city skyline tower skyscraper building street town metropolis downtown urban tokyo london paris york berlin cyberpunk neon",
  ],
  [
    "constellation",
    "constellation space galaxy universe cosmos nebula planet zodiac astronomy stars starry telescope rocket astronaut",
  ],
  ["ribbons", "ribbon silk flow flowing wave-like music melody wind smoke dream liquid fabric swirl jazz"],
  [
    "landscape",
    "mountain forest ocean sea beach desert lake river island hill meadow valley field sunset sunrise dawn winter snow autumn spring garden aurora canyon tree boat waterfall countryside landscape storm rain",
  ],
];

function chooseComposition(
  words: ReadonlySet<string>,
  likes: SceneRequest["likes"],
  random: Random,
): Composition {
  const spoken = SPEAKS_OF.find(([, list]) => speaksOf(words, list));
  return spoken ? spoken[0] : random.pick(likes);
}
