// The colours of a picture: by the hour first, then what weather, season and place make of them.
import type { Reading } from "../words/read-prompt.ts";
import { type Color, mix } from "./color.ts";
import type { Random } from "./random.ts";
import tables from "./tables.json" with { type: "json" };

export type ScenePlace =
  | Reading["places"][number]
  /** Nothing but colour, for signs and symbols. */
  | "studio";

export type Palette = {
  /** From the zenith down to the horizon. */
  readonly sky: Three;
  /** Sun or moon. */
  readonly light: Color;
  /** Farthest, middle and nearest ground. */
  readonly ground: Three;
  readonly water: readonly [Color, Color];
  /** What the hour and the weather lay over everything. */
  readonly ambient: Color;
  readonly ambientAmount: number;
  readonly dark: boolean;
};

type Three = readonly [Color, Color, Color];

export function hourOf(reading: Reading, place: ScenePlace): NonNullable<Reading["time"]> {
  const { time, lights, weathers, things } = reading;
  if (time) return time;
  const nightly = lights.some((light) => light !== "sun") || weathers.includes("aurora") || place === "space";
  return nightly || things.some(({ icon }) => /^(fireworks|ghost|shooting-star|comet)$/.test(icon))
    ? "night"
    : "day";
}

export function readPalette(reading: Reading, place: ScenePlace, random: Random): Palette {
  const hour = tables.hours[hourOf(reading, place)];
  const weathers = new Set<string>(reading.weathers);
  const wet = ["rain", "fog", "cloudy"].some((weather) => weathers.has(weather));
  const grey = weathers.has("storm") ? 0.72 : wet ? 0.5 : weathers.has("snow") ? 0.3 : 0;
  const cloud = weathers.has("storm") ? "#4d5a6d" : "#b4c0cb";
  const veil = hour.dark ? mix(cloud, "#1a2140", 0.6) : cloud;
  const sky = each(hour.sky, (color) => mix(color, veil, grey));
  const ambient = grey > 0 ? mix(hour.ambient, cloud, 0.5) : hour.ambient;
  const ambientAmount = hour.ambientAmount + grey * 0.18;
  const lit = (color: Color): Color => mix(color, ambient, ambientAmount * 1.15);
  return {
    ...hour,
    sky: place === "space" ? ["#05040f", "#150b38", "#3a1f6b"] : sky,
    ground: each(groundOf(reading, place, random), lit),
    water: [lit(mix("#4fa3cf", sky[2], 0.25)), lit("#1a5c96")],
    ambient,
    ambientAmount,
  };
}

function groundOf({ season, weathers }: Reading, place: ScenePlace, random: Random): readonly Color[] {
  if (place === "room") return [random.pick(tables.walls), "#b98556"];
  if (place === "studio") return [random.pick(tables.studios), random.pick(tables.studios)];
  const bare = (tables.grounds as Partial<Record<ScenePlace, Color[]>>)[place] ?? tables.grounds.meadow;
  if (season === "winter" || weathers.includes("snow")) return bare.map((own) => mix(own, "#f3f8fc", 0.86));
  return season === "autumn" && place !== "city" ? bare.map((own) => mix(own, "#d98a34", 0.45)) : bare;
}

function each(colors: readonly Color[], change: (color: Color) => Color): Three {
  const [first = "#ffffff", second = first, third = second] = colors.map(change);
  return [first, second, third];
}
