// Sketches: the things that a prompt names, as ready-made icons, on the ground of a landscape, a table or plain colour.
import { createRandom, type Random } from "../art/random.ts";
import type { Draw } from "../art/stage.ts";
import { drawGround, drawLandscape, viewOf } from "../landscape/landscape.ts";
import type { ScenePlace } from "../landscape/light.ts";
import { drawAir } from "../landscape/sky.ts";
import { loadLexicon } from "../words/lexicon.ts";
import { type Reading, readPrompt } from "../words/read-prompt.ts";
import { room, studio } from "./indoors.ts";
import { kindOf } from "./kinds.ts";
import { layOut, type Subject } from "./layout.ts";

/** Draws a landscape alone if the prompt names nothing that has an icon. */
export const drawSketch: Draw = (request) => {
  const reading = readPrompt(request.prompt);
  if (reading.understood.drawn.length === 0) return drawLandscape(request);
  const subjects = subjectsOf(reading);
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const place = placeOf(reading, subjects, random.fork("place"));
  const view = viewOf(request, reading, place);
  const outdoors = place !== "room" && place !== "studio";
  const { sprites, land } = outdoors ? drawGround(view) : flat(place === "room" ? room(view) : studio(view));
  const air = outdoors && place !== "underwater" ? drawAir(view) : [];
  const things = layOut(view, land, subjects);
  return { ...request, sprites: [...sprites, ...things, ...air], understood: reading.understood, grain: 0 };
};

const flat = (land: ReturnType<typeof room>) => ({ sprites: land.sprites, land });

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
