// Landscapes: sky and light of an hour, weather, and land or sea in the air between.
import { mix } from "../art/palette.ts";
import { placeIcon } from "../art/icons.ts";
import { createRandom, type Random } from "../art/random.ts";
import { type Draw, frameOf, fullBox, type SceneRequest, type Sprite, swing } from "../art/stage.ts";
import { tag } from "../art/svg.ts";
import { byWord } from "../words/lexicon.ts";
import { type PromptClaim, type Reading, readPrompt, understoodOf } from "../words/read-prompt.ts";
import { drawLand, type Land } from "./land.ts";
import { groundAt, hourOf, lightOf, type ScenePlace, type Scenery } from "./light.ts";
import { drawAir, drawSky } from "./sky.ts";

/** Seen from the side, so that their outlines are recognised against the light: icons by their height in parts of the shorter side. */
const FIGURES = byWord({
  "0.35": "volcano castle",
  "0.3": "lighthouse japanese-castle bridge palm-tree",
  "0.25": "windmill church pyramid deciduous-tree sailing-ship",
  "0.2": "giraffe evergreen-tree cactus island ship sailboat hot-air-balloon",
  "0.15": "barn house elephant camel two-hump-camel whale",
  "0.12": "hut bison deer horse llama canoe eagle",
  "0.1": "tent camping cow ox swan",
  "0.07": "goat ewe dog cat duck",
  "0.055": "dove blackbird bird",
});
/** For what a prompt leaves open. */
const HOURS = ["day", "day", "dawn", "sunset", "dusk", "night"] as const;
const SEASONS = ["spring", "summer", "autumn", "winter"] as const;
const WEATHERS = [undefined, undefined, undefined, "fog", "cloudy"] as const;
const WINTRY = [undefined, "snow"] as const;
const AFLOAT = /sail|ship|canoe|whale|swan|duck|island/;
/** What lies behind other land. */
const BEYOND = /^(mountains|forest|jungle|city|hills)$/;
const ALOFT = /balloon|eagle|dove|bird/;

export const drawLandscape: Draw = (request) => {
  const view = landscapeView(request);
  const { reading } = view;
  return {
    ...request,
    understood: understoodOf(reading, (claim) => isInLandscape(view, claim)),
    grain: 7,
    paint() {
      const { sprites, land } = drawGround(view);
      const named = reading.things.filter(({ icon }) => FIGURES.has(icon));
      return [...sprites, ...named.flatMap((thing, i) => figure(view, land, thing, i)), ...drawAir(view)];
    },
  };
};

/** Figures have the colour of the light. */
function isInLandscape(view: Scenery, claim: PromptClaim): boolean {
  if (claim.aspect) return isSeen(view, claim);
  return claim.color === undefined && FIGURES.has(claim.icon);
}

/** Whether sky, air and land bear out a claim about the whole of a picture; a doubtful case counts as not drawn. */
export function isSeen(
  { place, light, reading }: Scenery,
  { aspect, name }: Extract<PromptClaim, { readonly name: string }>,
): boolean {
  const { dark, hour, overcast } = light;
  const isIn = (words: RegExp): boolean => words.test(place);
  if (aspect === "places" && name === place) return true;
  if (isIn(/^(room|studio|underwater)$/)) return false;
  // Only named water shows the wind.
  if (name === "wind") return isIn(/^(sea|lake|river|beach)$/) && reading.places.some((one) => one === place);
  if (name === "stars") return dark && (hour === "night" || !overcast);
  const isSunOrMoon = hour === "dusk" || (name === "moon") === (hour === "night");
  const isAutumn = name === "autumn" && !isIn(/desert/) && !reading.weathers.includes("snow");
  return {
    // Ranges, woods and towns lie behind other land and water, and a sky is over all of it.
    places: name === "sky" || (place !== "sky" && BEYOND.test(name)),
    time: place !== "space" && name === hour,
    lights: place !== "space" && (dark || !overcast) && isSunOrMoon,
    weathers: name !== "cloudy" || place !== "space",
    season: !isIn(/^(city|sea|sky|space)$/) && (name === "winter" || isAutumn),
  }[aspect];
}

export function drawGround(view: Scenery): { sprites: Sprite[]; land: Land } {
  const sky = view.place === "underwater" ? [] : drawSky(view);
  const land = drawLand(view, sky);
  return { sprites: [...sky, ...land.sprites], land };
}

const OPEN = "hills mountains lake sea forest river desert beach arctic jungle sky";
const OPEN_PLACES = OPEN.split(" ") as ScenePlace[];
/** Where a season changes the land. */
const SEASONAL = /^(hills|mountains|lake|forest|river|meadow|park)$/;

/** The hour, season, weather and frame of a prompt that leaves them open: other ones for each prompt and seed. */
function landscapeView(request: SceneRequest): Scenery {
  const said = readPrompt(request.prompt);
  const random = createRandom(`${request.prompt}\n${request.variation}`).fork("stage");
  const place = placeOf(said, random.fork("place"));
  const isPlain = said.lights.length === 0 && said.weathers.length === 0;
  const season = said.season ?? (isPlain && SEASONAL.test(place) ? random.pick(SEASONS) : undefined);
  const time = said.time ?? (isPlain && hourOf(said, place) === "day" ? random.pick(HOURS) : undefined);
  // In the dark they would hide the land.
  const isBright = time === "day" || time === "dawn";
  const weather = isPlain && isBright ? random.pick(season === "winter" ? WINTRY : WEATHERS) : undefined;
  const weathers = weather ? [weather] : said.weathers;
  const reading = { ...said, weathers, ...(season && { season }), ...(time && { time }) };
  const view = viewOf(request, reading, place);
  return { ...view, horizon: view.horizon * (place === "sky" ? 1 : random.between(0.74, 1.16)) };
}

/** Where the sky ends, in parts of the height. */
const HORIZONS = byWord({ "1": "sky", "0.6": "sea beach desert", "0.54": "city forest" });

export function viewOf(
  request: SceneRequest,
  reading = readPrompt(request.prompt),
  named?: ScenePlace,
): Scenery {
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const place = named ?? placeOf(reading, random.fork("place"));
  const { width, height } = request;
  const side = random.fork("sun");
  return {
    ...frameOf(request),
    reading,
    place,
    light: lightOf(reading, place),
    random,
    horizon: height * Number(HORIZONS.get(place) ?? 0.56) * random.fork("horizon").between(0.96, 1.06),
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

function placeOf({ places, things, weathers, season }: Reading, random: Random): ScenePlace {
  const [first] = things;
  const afloat = first && AFLOAT.test(first.icon);
  const own = ownPlace(places.filter((place) => place !== "room"));
  if (own) return own;
  if (afloat || first?.icon === "lighthouse") return "sea";
  if (weathers.includes("aurora")) return "lake";
  if (weathers.includes("snow")) return random.pick(["forest", "mountains", "hills", "arctic"]);
  if (season === "winter") return random.pick(["forest", "mountains", "hills", "lake", "arctic"]);
  // The sea looks the same in every season.
  return random.pick(season === "autumn" ? ["hills", "lake", "river", "forest"] : OPEN_PLACES);
}

/** A thing that the prompt names, in the colours that the light leaves of it. */
function figure(view: Scenery, land: Land, { icon, count }: Reading["things"][number], i: number): Sprite[] {
  const { width, height, unit, light, horizon } = view;
  const { water, far, near } = land;
  const random = view.random.fork(`figure${i}`);
  const aloft = ALOFT.test(icon);
  const afloat = AFLOAT.test(icon) && water !== undefined;
  const high = Math.min(height, width) * Number(FIGURES.get(icon));
  const sway = aloft ? unit * 26 : afloat ? unit * 5 : 0;
  const tone = {
    ambient: mix(light.shade, groundAt(light, 0.9), 0.2),
    amount: light.dark ? 0.72 : light.hour === "day" ? 0.12 : 0.5,
  };
  return Array.from({ length: count }, (_, at): Sprite => {
    const size = high * random.between(0.85, 1.15) * count ** -0.2;
    const base = aloft
      ? horizon * random.between(0.28, 0.62)
      : afloat
        ? water.top + (water.bottom - water.top) * random.between(0.05, 0.3) + size * 0.1
        : far + (near - far) * random.between(0.05, 0.35);
    const alone = () => (view.sunX > width / 2 ? random.between(0.2, 0.4) : random.between(0.6, 0.8));
    const x = width * (count === 1 ? alone() : (at + random.between(0.2, 0.8)) / count);
    const drawing = placeIcon(icon, tone, x, base, size);
    const flip = `translate(0 ${2 * base - size * 0.08}) scale(1 -1)`;
    return {
      svg: (afloat ? tag("g", { transform: flip, opacity: 0.3 }, drawing) : "") + drawing,
      box: fullBox(view, base - size * 1.1, Math.min(height, base + size * 1.1)),
      depth: aloft ? 0.3 : 0.6,
      move: (turn) => ({
        dx: sway * swing(turn, at / count),
        dy: sway * 0.3 * swing(turn, at / count + 0.2),
      }),
    };
  });
}
