// The colours of a landscape: by the hour first, then what weather, season and place make of them.
import { type Color, mix } from "../art/palette.ts";
import type { Random } from "../art/random.ts";
import type { Frame } from "../art/stage.ts";
import { byWord } from "../words/lexicon.ts";
import type { Reading } from "../words/read-prompt.ts";
import tables from "./light.json" with { type: "json" };

export type ScenePlace = Reading["places"][number];

type Hour = keyof typeof tables.hours;
export type Light = (typeof tables.hours)[Hour] & {
  readonly hour: Hour;
  readonly dark: boolean;
  /** The colour of the nearest ground in plain daylight. */
  readonly ground: Color;
  /** The sun is not seen: it is behind clouds. */
  readonly overcast: boolean;
};

export type Scenery = Frame & {
  readonly reading: Reading;
  readonly place: ScenePlace;
  readonly light: Light;
  readonly random: Random;
  /** Where the sky ends. */
  readonly horizon: number;
  /** Where the sun or the moon stands. */
  readonly sunX: number;
};

const GROUNDS = byWord(tables.grounds);

export function hourOf({ time, lights, weathers, things }: Reading, place: ScenePlace): Hour {
  if (time) return time;
  const nightly = lights.some((light) => light !== "sun") || weathers.includes("aurora") || place === "space";
  return nightly || things.some(({ icon }) => /^(fireworks|ghost|shooting-star|comet)$/.test(icon))
    ? "night"
    : "day";
}

export function lightOf(reading: Reading, place: ScenePlace): Light {
  const { weathers, season } = reading;
  const hour = hourOf(reading, place);
  const plain = { ...tables.hours[hour], hour, dark: /dusk|night/.test(hour) };
  const [storm, snow] = [weathers.includes("storm"), weathers.includes("snow")];
  const wet = weathers.some((weather) => /^(rain|fog|cloudy)$/.test(weather));
  const grey = storm ? 0.7 : wet ? 0.45 : snow ? 0.3 : 0;
  const veil = mix(storm ? "#465468" : "#b7c2cc", plain.shade, plain.dark ? 0.6 : plain.shading / 3);
  const dull = (color: Color): Color => mix(color, veil, grey);
  const bare = place === "sky" ? plain.cloud : (GROUNDS.get(place) ?? "#5f9a45");
  const cold = season === "winter" || snow;
  const ground =
    cold && place !== "city"
      ? mix(bare, "#eef5fb", 0.9)
      : season === "autumn" && !/city|sea|desert/.test(place)
        ? "#c0702c"
        : bare;
  return {
    ...plain,
    overcast: storm || wet || snow,
    sky: plain.sky.map(dull),
    haze: dull(plain.haze),
    water: mix(plain.water, veil, grey * 0.6),
    cloud: mix(plain.cloud, veil, grey * 0.7),
    shade: mix(plain.shade, veil, grey * 0.2),
    ground,
    ambient: grey > 0 ? mix(plain.ambient, veil, 0.5) : plain.ambient,
    ambientAmount: plain.ambientAmount + grey * 0.18,
    ...(tables.places as Partial<Record<ScenePlace, Partial<Light>>>)[place],
  };
}

/** The colour of ground at a distance: 0 is at the horizon, where the air has taken it, and 1 right before us. */
export function groundAt({ haze, ground, shade, shading }: Light, near: number): Color {
  return mix(mix(ground, haze, 0.85 * (1 - near) ** 1.25), shade, shading * (0.25 + 0.75 * near));
}
