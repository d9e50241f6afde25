// From a prompt to a scene: what it asks for, put together from sky, ground and things.
import type { Understood } from "../../../../../proto/resources/job.ts";
import { loadLexicon } from "../words/lexicon.ts";
import { type Reading, readPrompt } from "../words/read-prompt.ts";
import { drawGround } from "./ground.ts";
import { kindOf } from "./kinds.ts";
import { layOut, type Subject } from "./layout.ts";
import { type ScenePlace, readPalette } from "./palette.ts";
import { createRandom, type Random } from "./random.ts";
import { drawAir, drawSky } from "./sky.ts";
import type { Sprite, Stage } from "./stage.ts";
import { svgDocument, tag } from "./svg.ts";

export type Scene = {
  readonly width: number;
  readonly height: number;
  /** From the farthest to the nearest. */
  readonly sprites: readonly Sprite[];
  readonly understood: Understood;
};

export type SceneRequest = {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** Different for every take on the same prompt. */
  readonly variation: string;
};

export function createScene({ prompt, width, height, variation }: SceneRequest): Scene {
  const random = createRandom(`${prompt}\n${variation}`);
  const reading = readPrompt(prompt);
  const subjects = subjectsOf(reading);
  const place = placeOf(reading, subjects, random.fork("place"));
  const stage: Stage = {
    width,
    height,
    unit: Math.min(width, height) / 1000,
    reading,
    place,
    palette: readPalette(reading, place, random.fork("palette")),
    random: random.fork("scene"),
    horizon: height * (place === "sky" ? 1 : random.fork("horizon").between(0.52, 0.6)),
  };
  const ground = drawGround(stage);
  const indoors = place === "room" || place === "studio" || place === "underwater";
  const inside = [...ground.sprites, ...layOut(stage, ground, subjects)];
  const sprites = indoors ? inside : [...drawSky(stage), ...inside, ...drawAir(stage)];
  return { width, height, sprites, understood: reading.understood };
}

/** One name may stand for several pictures: a family is no icon. */
function subjectsOf({ things }: Reading): Subject[] {
  const { categories } = loadLexicon();
  const icons = things.map(({ icon }) => icon.split("+"));
  const placeIn = (thing: number): number => icons.slice(0, thing).flat().length;
  return things.flatMap((thing, i): Subject[] =>
    (icons[i] ?? []).map((icon) => ({
      ...thing,
      icon,
      kind: kindOf(icon, categories.get(icon)),
      ...(thing.on !== undefined && { on: placeIn(thing.on) }),
      ...(thing.wornBy !== undefined && { wornBy: placeIn(thing.wornBy) }),
    })),
  );
}

/** Where it is: as the prompt says, else where the first thing usually is. */
function placeOf(
  { places, lights, weathers, time }: Reading,
  [first]: readonly Subject[],
  random: Random,
): ScenePlace {
  // Mountains, woods and towns can be behind anything that has a place of its own.
  const named = places.find((place) => !/^(mountains|hills|forest|city)$/.test(place)) ?? places[0];
  if (named) return named;
  if (!first) return random.pick(["hills", "mountains", "lake", "sea"]);
  const outdoors = lights.length > 0 || weathers.length > 0 || time !== undefined;
  const { kind } = first;
  if (kind.zone === "swim") return first.icon === "submarine" || !outdoors ? "underwater" : "sea";
  if (kind.zone === "float") return /duck|swan|canoe|lotus/.test(first.icon) ? "lake" : "sea";
  if (kind.zone === "emblem") return outdoors ? "hills" : "studio";
  if (kind.handy && kind.zone === "ground" && !outdoors) return "room";
  if (/automobile|taxi|bus|truck|tram|motor|bicycle|police|ambulance/.test(first.icon)) return "city";
  return random.pick(["meadow", "hills", "park"]);
}

/** A whole SVG document of a scene at rest. */
export function drawStill({ width, height, sprites }: Scene): string {
  const body = sprites.map(({ svg, move }) => {
    const { dx = 0, dy = 0, alpha = 1 } = move?.(0) ?? {};
    return tag("g", { transform: `translate(${dx} ${dy})`, opacity: alpha }, svg);
  });
  return svgDocument({ x: 0, y: 0, width, height }, body.join(""));
}
