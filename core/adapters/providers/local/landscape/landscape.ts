// Landscapes: sky and light of an hour, weather, and land or sea in the air between.
import type { Understood } from "../../../../../proto/resources/job.ts";
import { mix } from "../art/color.ts";
import { drawIcon } from "../art/icons.ts";
import { createRandom, type Random } from "../art/random.ts";
import { type Draw, frameOf, fullBox, type SceneRequest, type Sprite, swing } from "../art/stage.ts";
import { tag } from "../art/svg.ts";
import { type PromptClaim, type Reading, readPrompt, understoodOf } from "../words/read-prompt.ts";
import { drawLand, type Land } from "./land.ts";
import { groundAt, hourOf, lightOf, type ScenePlace, type Scenery } from "./light.ts";
import { isSeen } from "./seen.ts";
import { drawAir, drawSky } from "./sky.ts";

/** Seen from the side, so that their outlines are recognised against the light. */
const FIGURES: Readonly<Record<string, number>> = {
  lighthouse: 0.3,
  windmill: 0.26,
  castle: 0.34,
  church: 0.24,
  house: 0.14,
  hut: 0.13,
  barn: 0.15,
  tent: 0.1,
  camping: 0.1,
  "japanese-castle": 0.3,
  deer: 0.12,
  horse: 0.12,
  camel: 0.14,
  "two-hump-camel": 0.14,
  elephant: 0.16,
  giraffe: 0.22,
  bison: 0.13,
  ewe: 0.07,
  cow: 0.1,
  ox: 0.1,
  dog: 0.07,
  cat: 0.06,
  llama: 0.12,
  goat: 0.08,
  sailboat: 0.18,
  "sailing-ship": 0.24,
  canoe: 0.12,
  ship: 0.22,
  whale: 0.16,
  swan: 0.09,
  duck: 0.07,
  "hot-air-balloon": 0.2,
  eagle: 0.12,
  dove: 0.06,
  bird: 0.05,
  blackbird: 0.06,
  "evergreen-tree": 0.2,
  "deciduous-tree": 0.26,
  "palm-tree": 0.28,
  cactus: 0.18,
  pyramid: 0.26,
  volcano: 0.36,
  bridge: 0.3,
  island: 0.2,
};
/** For what a prompt leaves open. */
const HOURS = ["day", "day", "dawn", "sunset", "dusk", "night"] as const;
const SEASONS = ["spring", "summer", "autumn", "winter"] as const;
const WEATHERS = [undefined, undefined, undefined, "fog", "cloudy"] as const;
const WINTRY = [undefined, "snow"] as const;
const AFLOAT = /sail|ship|canoe|whale|swan|duck|island/;
const ALOFT = /balloon|eagle|dove|bird/;
const FLOCKS = /^(bird|blackbird|dove)$/;

export const drawLandscape: Draw = (request) => {
  const view = landscapeView(request);
  const { reading } = view;
  const named = reading.things.filter(({ icon }) => FIGURES[icon] !== undefined);
  const { sprites, land } = drawGround(view);
  const figures = named.flatMap((thing, i) => figure(view, land, thing, i));
  return {
    ...request,
    sprites: [...sprites, ...figures, ...drawAir(view)],
    understood: understoodOf(reading, (claim) => isInLandscape(view, claim)),
    grain: 7,
  };
};

/** What of a prompt a landscape shows, whatever its seed. */
export function landscapeWords(prompt: string): Understood {
  const view = landscapeView({ prompt, width: 64, height: 64, variation: "" });
  return understoodOf(view.reading, (claim) => isInLandscape(view, claim));
}

/** Figures have the colour of the light. */
function isInLandscape(view: Scenery, claim: PromptClaim): boolean {
  if (claim.aspect) return isSeen(view, claim);
  return claim.color === undefined && FIGURES[claim.icon] !== undefined;
}

export function drawGround(view: Scenery): { sprites: Sprite[]; land: Land } {
  const sky = view.place === "underwater" ? [] : drawSky(view);
  const land = drawLand(view, sky);
  return { sprites: [...sky, ...land.sprites], land };
}

const OPEN_PLACES = [
  "hills",
  "mountains",
  "lake",
  "sea",
  "forest",
  "river",
  "desert",
  "beach",
  "arctic",
  "jungle",
  "sky",
] as const;
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
  const view = viewOf(
    request,
    { ...said, weathers, ...(season && { season }), ...(time && { time }) },
    place,
  );
  return { ...view, horizon: view.horizon * (place === "sky" ? 1 : random.between(0.74, 1.16)) };
}

export function viewOf(
  request: SceneRequest,
  reading = readPrompt(request.prompt),
  place?: ScenePlace,
): Scenery {
  const random = createRandom(`${request.prompt}\n${request.variation}`);
  const where = place ?? placeOf(reading, random.fork("place"));
  const { width, height } = request;
  const high =
    where === "sky"
      ? 1
      : /^(sea|beach|desert)$/.test(where)
        ? 0.6
        : /^(city|forest)$/.test(where)
          ? 0.54
          : 0.56;
  const side = random.fork("sun");
  return {
    ...frameOf(request),
    reading,
    place: where,
    light: lightOf(reading, where),
    random,
    horizon: height * high * random.fork("horizon").between(0.96, 1.06),
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
  const random = view.random.fork(`figure${i}`);
  const aloft = ALOFT.test(icon);
  const afloat = AFLOAT.test(icon) && land.water !== undefined;
  const many = FLOCKS.test(icon) && count === 1 ? 1 : count;
  return Array.from({ length: many }, (_, at): Sprite => {
    const size = Math.min(height, width) * (FIGURES[icon] ?? 0.1) * random.between(0.85, 1.15) * many ** -0.2;
    const water = land.water;
    const base = aloft
      ? horizon * random.between(0.28, 0.62)
      : afloat && water
        ? water.top + (water.bottom - water.top) * random.between(0.05, 0.3) + size * 0.1
        : land.far + (land.near - land.far) * random.between(0.05, 0.35);
    const x =
      width *
      (many === 1
        ? view.sunX > width / 2
          ? random.between(0.2, 0.4)
          : random.between(0.6, 0.8)
        : (at + random.between(0.2, 0.8)) / many);
    const dim = light.dark ? 0.72 : light.hour === "day" ? 0.12 : 0.5;
    const drawing = drawIcon(icon, { ambient: mix(light.shade, groundAt(light, 0.9), 0.2), amount: dim });
    const svg = tag(
      "svg",
      { x: x - size / 2, y: base - size, width: size, height: size, viewBox: "0 0 32 32" },
      drawing,
    );
    const mirror = afloat
      ? tag("g", { transform: `translate(0 ${2 * base - size * 0.08}) scale(1 -1)`, opacity: 0.3 }, svg)
      : "";
    const sway = aloft ? unit * 26 : afloat ? unit * 5 : 0;
    return {
      svg: mirror + svg,
      box: fullBox(view, base - size * 1.1, Math.min(height, base + size * 1.1)),
      depth: aloft ? 0.3 : 0.6,
      move: (turn) => ({ dx: sway * swing(turn, at / many), dy: sway * 0.3 * swing(turn, at / many + 0.2) }),
    };
  });
}
