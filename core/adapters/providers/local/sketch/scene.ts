// Sketches: the things that a prompt names, as ready-made icons, on the ground of a landscape, a table or plain colour.
import { drawIcon } from "../art/icons.ts";
import { mix } from "../art/palette.ts";
import { createRandom, type Random } from "../art/random.ts";
import { type Draw, fullBox, type Sprite } from "../art/stage.ts";
import { orb, rect } from "../art/svg.ts";
import { drawGround, drawLandscape, isSeen, ownPlace, placeOf, viewOf } from "../landscape/landscape.ts";
import type { ScenePlace, Scenery } from "../landscape/light.ts";
import { drawAir } from "../landscape/sky.ts";
import { type PromptClaim, type Reading, readPrompt, understoodOf } from "../words/read-prompt.ts";
import { layOut, type Subject, subjectsOf } from "./layout.ts";
import tables from "./tables.json" with { type: "json" };

/** Paints a landscape if nothing is understood, for jobs from before such prompts were refused. */
export const drawSketch: Draw = (request) => {
  const reading = readPrompt(request.prompt);
  const subjects = subjectsOf(reading.things);
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const view = viewOf(request, reading, siteOf(reading, subjects, random.fork("place")));
  const understood = understoodOf(reading, (claim) => isSketched(view, claim));
  if (understood.drawn.length === 0) return { ...drawLandscape(request), understood };
  return { ...request, understood, grain: 0, paint: () => paint(view, subjects) };
};

function paint(view: Scenery, subjects: readonly Subject[]): Sprite[] {
  const isIndoors = view.place === "room";
  const { sprites, land } = isIndoors ? room(view) : drawGround(view);
  return [...sprites, ...layOut(view, land, subjects), ...(isIndoors ? [] : drawAir(view))];
}

function isSketched(view: Scenery, claim: PromptClaim): boolean {
  if (claim.aspect) return isSeen(view, claim);
  const { icon, color } = claim;
  const plain = { ambient: "#ffffff", amount: 0 };
  // What is grey has no colour that another could replace.
  return color === undefined || drawIcon(icon, { ...plain, color }) !== drawIcon(icon, plain);
}

/** Where it is: as the prompt says, else where the first thing usually is. */
function siteOf(reading: Reading, [first]: readonly Subject[], random: Random): ScenePlace {
  const { places, lights, weathers, time } = reading;
  const named = ownPlace(places);
  if (named) return named;
  if (!first) return placeOf(reading, random);
  const outdoors = lights.length > 0 || weathers.length > 0 || time !== undefined;
  const { kind } = first;
  if (kind.zone === "float") return /duck|swan|canoe|lotus/.test(first.icon) ? "lake" : "sea";
  if (kind.handy && kind.zone === "ground" && !outdoors) return "room";
  if (/automobile|taxi|bus|truck|tram|motor|bicycle|police|ambulance/.test(first.icon)) return "city";
  return random.pick(["meadow", "hills", "park"]);
}

/** A table before a wall, with light from a window next to the picture. */
function room(view: Scenery): ReturnType<typeof drawGround> {
  const { width, height } = view;
  const wood = "#b98556";
  const svg =
    rect(fullBox(view), view.random.fork("wall").pick(tables.walls)) +
    orb("shine", ["#ffffff8c", "#ffffff00"], [width * 0.28, height * 0.24], width * 0.6) +
    rect(fullBox(view, height * 0.68), mix(wood, "#ffffff", 0.35)) +
    rect(fullBox(view, height * 0.692), wood);
  return { sprites: [{ svg, depth: 0.3 }], land: { far: height * 0.75, near: height * 0.94 } };
}
