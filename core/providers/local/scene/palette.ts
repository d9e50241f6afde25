// The colours of a picture: by the hour first, then what weather, season and place make of them.
import type { Reading } from "../words/read-prompt.ts";
import { type Color, mix } from "./color.ts";
import type { Random } from "./random.ts";

export type Place =
  | Reading["places"][number]
  /** Nothing but colour, for signs and symbols. */
  | "studio";
export type Hour = NonNullable<Reading["time"]>;

export type Palette = {
  /** From the zenith down to the horizon. */
  readonly sky: readonly [Color, Color, Color];
  /** Sun or moon. */
  readonly light: Color;
  /** Farthest, middle and nearest ground. */
  readonly ground: readonly [Color, Color, Color];
  readonly water: readonly [Color, Color];
  /** What the hour and the weather lay over everything. */
  readonly ambient: Color;
  readonly ambientAmount: number;
  readonly dark: boolean;
};

type Light = Omit<Palette, "ground" | "water">;

const HOURS: Record<Hour, Light> = {
  day: light("#3f94db #8fcbf2 #eaf6f4", "#fff4c4", "#ffffff", 0.02),
  dawn: light("#6d9bd6 #f0b7bd #ffe2b4", "#ffe6a6", "#ff9f7a", 0.12),
  sunset: light("#3a2a6c #d4557c #ffb05a", "#ffdf8c", "#f0603f", 0.17),
  night: light("#0a1034 #1b2d69 #44609f", "#f7f1d4", "#131f55", 0.4, true),
};

const GREENS = ["#a9d07f", "#7fba60", "#5a9a4c"] as const;
const GROUNDS: Partial<Record<Place, readonly [Color, Color, Color]>> = {
  forest: ["#79a870", "#4f8757", "#336a47"],
  jungle: ["#66ab66", "#3c8752", "#24653f"],
  desert: ["#f3d59b", "#e8b970", "#d39d55"],
  mountains: ["#93b88b", "#76a472", "#588a5e"],
  arctic: ["#f4f9fd", "#e2edf7", "#cfdfee"],
  city: ["#a3a9b5", "#878d9a", "#666b78"],
  beach: ["#f7e6bb", "#f0d698", "#e5c57f"],
  underwater: ["#3f7f9c", "#c9b27c", "#b39a62"],
  space: ["#5a4d7c", "#463b66", "#332b4f"],
};
const WALLS = ["#f2d8c2", "#cfe3e0", "#e9dcf0", "#f6e6b8", "#d5e2f2", "#e2ead0"] as const;
const STUDIOS = ["#f7b267", "#7fb7be", "#b892d6", "#f49cbb", "#8ac7a2", "#6fa8dc"] as const;

export function hourOf({ time, lights, weathers, things }: Reading, place: Place): Hour {
  if (time) return time;
  const nightly = lights.some((light) => light !== "sun") || weathers.includes("aurora") || place === "space";
  return nightly || things.some(({ icon }) => /^(fireworks|ghost|shooting-star|comet)$/.test(icon))
    ? "night"
    : "day";
}

export function readPalette(reading: Reading, place: Place, random: Random): Palette {
  const hour = HOURS[hourOf(reading, place)];
  const has = (...names: Reading["weathers"][number][]): boolean =>
    names.some((name) => reading.weathers.includes(name));
  const grey = has("storm") ? 0.72 : has("rain", "fog", "cloudy") ? 0.5 : has("snow") ? 0.3 : 0;
  const cloud = has("storm") ? "#4d5a6d" : "#b4c0cb";
  const sky = hour.sky.map((color) => mix(color, hour.dark ? mix(cloud, "#1a2140", 0.6) : cloud, grey)) as [
    Color,
    Color,
    Color,
  ];
  let ground = [...(GROUNDS[place] ?? GREENS)] as [Color, Color, Color];
  const tint = (color: Color, amount: number): void => {
    ground = ground.map((own) => mix(own, color, amount)) as [Color, Color, Color];
  };
  if (reading.season === "autumn" && place !== "city") tint("#d98a34", 0.45);
  if (reading.season === "winter" || has("snow")) tint("#f3f8fc", 0.86);
  if (place === "room") {
    const wall = random.pick(WALLS);
    ground = [wall, "#b98556", "#9c6b40"];
  }
  if (place === "studio") ground = [random.pick(STUDIOS), random.pick(STUDIOS), random.pick(STUDIOS)];
  const ambient = grey > 0 ? mix(hour.ambient, cloud, 0.5) : hour.ambient;
  const ambientAmount = hour.ambientAmount + grey * 0.18;
  const lit = (color: Color): Color => mix(color, ambient, ambientAmount * 1.15);
  return {
    ...hour,
    sky: place === "space" ? ["#05040f", "#150b38", "#3a1f6b"] : sky,
    ground: [lit(ground[0]), lit(ground[1]), lit(ground[2])],
    water: [lit(mix("#4fa3cf", sky[2], 0.25)), lit("#1a5c96")],
    ambient,
    ambientAmount,
  };
}

function light(sky: string, color: Color, ambient: Color, ambientAmount: number, dark = false): Light {
  const [top = color, middle = top, low = middle] = sky.split(" ");
  return { sky: [top, middle, low], light: color, ambient, ambientAmount, dark };
}
