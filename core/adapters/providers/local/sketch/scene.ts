// Sketches: the things that a prompt names, as ready-made icons, on the ground of a landscape, a table or plain colour.
import { drawIcon } from "../art/icons.ts";
import { createRandom, type Random } from "../art/random.ts";
import type { Draw, Sprite } from "../art/stage.ts";
import { drawGround, drawLandscape, ownPlace, viewOf } from "../landscape/landscape.ts";
import type { ScenePlace, Scenery } from "../landscape/light.ts";
import { isSeen } from "../landscape/seen.ts";
import { drawAir } from "../landscape/sky.ts";
import { loadLexicon } from "../words/lexicon.ts";
import { type PromptClaim, type Reading, readPrompt, understoodOf } from "../words/read-prompt.ts";
import { INDOORS } from "./indoors.ts";
import { kindOf } from "./kinds.ts";
import { layOut, type Subject } from "./layout.ts";

/** Paints a landscape if nothing is understood, for jobs from before such prompts were refused. */
export const drawSketch: Draw = (request) => {
  const reading = readPrompt(request.prompt);
  const subjects = subjectsOf(reading);
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const view = viewOf(request, reading, placeOf(reading, subjects, random.fork("place")));
  const understood = understoodOf(reading, (claim) => isSketched(view, claim));
  if (understood.drawn.length === 0) return { ...drawLandscape(request), understood };
  return { ...request, understood, grain: 0, paint: () => paint(view, subjects) };
};

function paint(view: Scenery, subjects: readonly Subject[]): Sprite[] {
  const indoors = INDOORS[view.place]?.(view);
  if (indoors) return [...indoors.sprites, ...layOut(view, indoors, subjects)];
  const { sprites, land } = drawGround(view);
  const air = view.place === "underwater" ? [] : drawAir(view);
  return [...sprites, ...layOut(view, land, subjects), ...air];
}

function isSketched(view: Scenery, claim: PromptClaim): boolean {
  if (claim.aspect) return isSeen(view, claim);
  const { icon, color } = claim;
  const plain = { ambient: "#ffffff", amount: 0 };
  // What is grey has no colour that another could replace.
  return color === undefined || drawIcon(icon, { ...plain, color }) !== drawIcon(icon, plain);
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
  { places, lights, weathers, time, season }: Reading,
  [first]: readonly Subject[],
  random: Random,
): ScenePlace {
  const named = ownPlace(places);
  if (named) return named;
  // The sea looks the same in every season.
  if (!first)
    return random.pick(season ? ["hills", "mountains", "lake"] : ["hills", "mountains", "lake", "sea"]);
  const outdoors = lights.length > 0 || weathers.length > 0 || time !== undefined;
  const { kind } = first;
  if (kind.zone === "swim") return first.icon === "submarine" || !outdoors ? "underwater" : "sea";
  if (kind.zone === "float") return /duck|swan|canoe|lotus/.test(first.icon) ? "lake" : "sea";
  if (kind.zone === "emblem") return outdoors ? "hills" : "studio";
  if (kind.handy && kind.zone === "ground" && !outdoors) return "room";
  if (/automobile|taxi|bus|truck|tram|motor|bicycle|police|ambulance/.test(first.icon)) return "city";
  return random.pick(["meadow", "hills", "park"]);
}
