// Landscapes: sky and light of an hour, weather, and land or sea in the air between.
import { mix } from "../art/palette.ts";
import { createRandom, type Random } from "../art/random.ts";
import { type Draw, frameOf, type SceneRequest, type Sprite } from "../art/stage.ts";
import { layOut, subjectsOf } from "../sketch/layout.ts";
import tables from "../sketch/tables.json" with { type: "json" };
import { wordsOf } from "../words/lexicon.ts";
import { type PromptClaim, type Reading, readPrompt, understoodOf } from "../words/read-prompt.ts";
import { BEYOND, drawLand, type Land } from "./land.ts";
import { groundAt, hourOf, lightOf, type ScenePlace, type Scenery } from "./light.ts";
import { drawAir, drawSky } from "./sky.ts";

/** Seen from the side, so that their outlines are recognised against the light. */
const FIGURES = new Set(wordsOf(tables.silhouettes));
/** For what a prompt leaves open. */
const HOURS = ["day", "day", "dawn", "sunset", "dusk", "night"] as const;
const SEASONS = ["spring", "summer", "autumn", "winter"] as const;
const AFLOAT = /sail|ship|canoe|whale|swan|duck|island|lighthouse/;
/** Where a season changes the land. */
const SEASONAL = /^(hills|mountains|lake|forest|river|meadow|park)$/;

export const drawLandscape: Draw = (request) => {
  const view = landscapeView(request);
  const { reading } = view;
  return {
    ...request,
    understood: understoodOf(reading, (claim) =>
      // Figures have the colour of the light.
      claim.aspect ? isSeen(view, claim) : claim.color === undefined && FIGURES.has(claim.icon),
    ),
    grain: 7,
    paint() {
      const { sprites, land } = drawGround(view);
      const { shade, dark, hour } = view.light;
      const ambient = mix(shade, groundAt(view.light, 0.9), 0.2);
      const figures = reading.things.filter(({ icon }) => FIGURES.has(icon));
      const tone = { ambient, amount: dark ? 0.72 : hour === "day" ? 0.12 : 0.5 };
      return [
        ...sprites,
        ...layOut(view, land, subjectsOf(figures.map(({ icon, count }) => ({ icon, count }))), tone),
        ...drawAir(view),
      ];
    },
  };
};

/** Whether sky, air and land bear out a claim about the whole of a picture; a doubtful case counts as not drawn. */
export function isSeen(
  { place, light, reading }: Scenery,
  { aspect, name }: Extract<PromptClaim, { readonly name: string }>,
): boolean {
  const { dark, hour, overcast } = light;
  if (aspect === "places" && name === place) return true;
  if (place === "room") return false;
  // Only named water shows the wind.
  if (name === "wind") return /^(sea|lake|river|beach)$/.test(place) && reading.places.includes(place);
  if (name === "stars") return dark && (hour === "night" || !overcast);
  const isAutumn = name === "autumn" && place !== "desert" && !reading.weathers.includes("snow");
  return {
    // Ranges, woods and towns lie behind other land and water, and a sky is over all of it.
    places: name === "sky" || (place !== "sky" && BEYOND.test(name)),
    time: place !== "space" && name === hour,
    lights: (dark || !overcast) && (hour === "dusk" || (name === "moon") === (hour === "night")),
    weathers: name !== "cloudy" || place !== "space",
    season: !/^(city|sea|sky|space)$/.test(place) && (name === "winter" || isAutumn),
  }[aspect];
}

export function drawGround(view: Scenery): { sprites: Sprite[]; land: Land } {
  const { sprites, ...land } = drawLand(view);
  return { sprites: [...drawSky(view), ...sprites], land };
}

const OPEN = ["hills", "mountains", "lake", "sea", "forest", "desert", "beach", "arctic", "sky"] as const;

/** The hour, season, air and frame of a prompt that leaves them open: other ones for each prompt and seed. */
function landscapeView(request: SceneRequest): Scenery {
  const said = readPrompt(request.prompt);
  const random = createRandom(`${request.prompt}\n${request.variation}`).fork("stage");
  const place = placeOf(said, random.fork("place"));
  const isPlain = said.lights.length === 0 && said.weathers.length === 0;
  const season = said.season ?? (isPlain && SEASONAL.test(place) ? random.pick(SEASONS) : undefined);
  const time = said.time ?? (isPlain && hourOf(said, place) === "day" ? random.pick(HOURS) : undefined);
  const reading = { ...said, ...(season && { season }), ...(time && { time }) };
  const view = viewOf(request, reading, place);
  const horizon = view.horizon * (place === "sky" ? 1 : random.between(0.74, 1.16));
  const haze = mix(view.light.haze, view.light.cloud, random.between(0, 0.3));
  return { ...view, horizon, light: { ...view.light, haze } };
}

export function viewOf(
  request: SceneRequest,
  reading = readPrompt(request.prompt),
  named?: ScenePlace,
): Scenery {
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const place = named ?? placeOf(reading, random.fork("place"));
  const { width, height } = request;
  const side = random.fork("sun");
  // Where the sky ends, in parts of the height.
  const share = place === "sky" ? 1 : /^(sea|beach|desert|space)$/.test(place) ? 0.6 : 0.56;
  return {
    ...frameOf(request),
    reading,
    place,
    light: lightOf(reading, place),
    random,
    horizon: height * share * random.fork("horizon").between(0.96, 1.06),
    sunX: width * (side.next() < 0.5 ? side.between(0.24, 0.42) : side.between(0.58, 0.78)),
  };
}

/** The place of the ground: mountains, woods and towns can be behind one with a place of its own, and a sky is over all land. */
export function ownPlace(places: Reading["places"]): Reading["places"][number] | undefined {
  return (
    places.find((place) => !/^(mountains|hills|forest|city|sky)$/.test(place)) ??
    places.find((place) => place !== "sky") ??
    places[0]
  );
}

export function placeOf({ places, things, weathers, season }: Reading, random: Random): ScenePlace {
  const own = ownPlace(places.filter((place) => place !== "room"));
  if (own) return own;
  if (AFLOAT.test(things[0]?.icon ?? "")) return "sea";
  if (weathers.includes("aurora")) return "lake";
  if (season === "winter" || weathers.includes("snow"))
    return random.pick(["forest", "mountains", "hills", "lake", "arctic"]);
  // The sea looks the same in every season.
  return random.pick(season === "autumn" ? ["hills", "lake", "river", "forest"] : OPEN);
}
