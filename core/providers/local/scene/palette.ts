// Which colours a prompt asks for: by the light it names (sunset, night), by the place (forest, ocean), by the colours themselves.
import { type Color, lightness, mix, saturate } from "./color.ts";
import type { Random } from "./random.ts";
import { speaksOf } from "./words.ts";

export type Palette = {
  /** From the zenith down to the horizon. */
  sky: readonly [Color, Color, Color, Color];
  /** Sun or moon. */
  light: Color;
  /** Most distant and nearest ground. */
  far: Color;
  near: Color;
  accents: readonly [Color, Color, Color, Color];
  /** Stars and lit windows show. */
  dark: boolean;
};

type Mood = Palette & { words: string };

/** The more special ones first: the first that the prompt names is taken. */
const SKIES: readonly [Mood, ...Mood[]] = [
  mood(
    "aurora northern arctic polar",
    "#04101f #0a2a3d #12505a #2e8a7c",
    "#e6fff2",
    "#1f5560 #03101a",
    "#4df0a8 #8a5cf0 #2ec4d6 #e6fff2",
    true,
  ),
  mood(
    "neon cyber cyberpunk synthwave retro future robot electric",
    "#0c0226 #2e0d5c #a81f73 #ff5d73",
    "#ffd166",
    "#7a1f7d #0b0218",
    "#22e6e6 #ff3d9a #ffd166 #7b2ff7",
    true,
  ),
  mood(
    "fire lava volcano hell dragon flame ember",
    "#160609 #4a0d12 #b3261e #ff8a3c",
    "#ffd98a",
    "#7a1d1a #120406",
    "#ff8a3c #b3261e #ffd15c #f4e1c6",
    true,
  ),
  mood(
    "storm stormy rain rainy thunder cloud cloudy fog mist misty grey",
    "#39465a #5f7085 #93a3b0 #cfd6d6",
    "#f3f4ea",
    "#8496a3 #1e2a35",
    "#e0b04a #5f7085 #a9c4cc #eceee6",
    false,
  ),
  mood(
    "sunset dusk evening twilight golden",
    "#2c1e56 #8a2f6b #ee6352 #ffc06a",
    "#ffe7b3",
    "#b0507a #1d1033",
    "#ee6352 #ffc06a #8a2f6b #f9e2b8",
    false,
  ),
  mood(
    "dawn sunrise morning breakfast",
    "#6b9fd6 #b9b5dd #f7c5c0 #ffe6c2",
    "#fff3d6",
    "#a79cc4 #2f2d52",
    "#f59a8c #ffd08a #6b9fd6 #fff0dc",
    false,
  ),
  mood(
    "night midnight moon moonlight dark star stars sleep dream lullaby",
    "#070b24 #101f4d #2a4585 #6d82b8",
    "#f6f1dc",
    "#33477f #060a1c",
    "#f2c14e #6d82b8 #c65b7c #dfe7f5",
    true,
  ),
  mood(
    "day noon summer sunny sky holiday",
    "#2f86cf #77bdec #c9e9f8 #f4faf0",
    "#fffbe0",
    "#8fb9c4 #24543f",
    "#f2a541 #2f86cf #e85d4c #f7f3e3",
    false,
  ),
];

const PLACES: readonly [Mood, ...Mood[]] = [
  mood(
    "forest jungle wood tree pine garden green nature leaf",
    "#7fb3a6 #b8d6c2 #e2ead0 #f8f4d8",
    "#fffbe2",
    "#8fb89c #0f2f26",
    "#2f7d5b #e0b04a #7fb3a6 #f3eeda",
    false,
  ),
  mood(
    "ocean sea beach wave water lake river boat ship sail island fish coral whale",
    "#0d5688 #3f9cc4 #a8dbe2 #f6efd8",
    "#fff6d8",
    "#4a93ad #06293f",
    "#ff7f5c #f2c46d #2a9d9f #f6efd8",
    false,
  ),
  mood(
    "desert sand dune canyon camel egypt mars",
    "#d98b5f #eeb57e #f7d7a6 #fdf0d0",
    "#fff6dc",
    "#e3a368 #7a351d",
    "#c8553d #2f6f77 #f0a95b #fdf0d0",
    false,
  ),
  mood(
    "winter snow ice frost cold glacier christmas",
    "#6f9cc6 #aecbe4 #dfeaf3 #fbf3ee",
    "#fffdf4",
    "#a5bdd6 #2c4a68",
    "#c8443c #2c6a8a #e8c468 #f7fafc",
    false,
  ),
  mood(
    "autumn fall harvest october orange",
    "#7d97a8 #d9c5a4 #f4b26c #fbdc9c",
    "#fff0c9",
    "#c98a5b #43190f",
    "#d2562b #efb343 #7a3b2e #f8e9cf",
    false,
  ),
  mood(
    "spring blossom cherry flower rose bloom love wedding",
    "#8fb9e3 #cfd0ee #f6cbd8 #fff0ea",
    "#fffaf0",
    "#a8c9a2 #2c5a45",
    "#ef7fa2 #9cc48a #f6d06f #fff3ee",
    false,
  ),
  mood(
    "meadow field hill valley grass farm horse countryside",
    "#4f9bd8 #93c9ee #d9eef2 #f6f6dc",
    "#fffbe0",
    "#9cc28b #1f5132",
    "#efb23e #d9583f #4f9b5a #f6f1dc",
    false,
  ),
  mood(
    "mountain alps peak rock summit",
    "#4a7fb5 #93b8d8 #d8e2ea #f9efdf",
    "#fff6e0",
    "#8fa6bf #20304a",
    "#e0723f #4a7fb5 #efc25e #f4efe4",
    false,
  ),
  mood(
    "space galaxy planet cosmos universe nebula rocket astronaut",
    "#05030f #140a36 #2f1a63 #6a3a93",
    "#fbeed2",
    "#3a2268 #05030f",
    "#ff8a5c #5ad1e6 #c77dff #fbeed2",
    true,
  ),
];

/** A named colour pulls the whole picture towards it. */
const NAMED: readonly (readonly [words: string, color: Color])[] = [
  ["red crimson scarlet ruby", "#d1343a"],
  ["orange amber tangerine", "#f08a2c"],
  ["yellow gold golden lemon", "#f2c230"],
  ["green emerald lime mint", "#2f9e5b"],
  ["teal turquoise cyan aqua", "#1fa6a3"],
  ["blue azure cobalt navy", "#2a62c9"],
  ["purple violet lavender indigo lilac", "#7a45c2"],
  ["pink magenta rose fuchsia", "#ea5a9b"],
  ["brown chocolate coffee", "#7b4a2b"],
];

const GREYS = "monochrome greyscale grayscale charcoal pencil ink";

export function readPalette(words: ReadonlySet<string>, random: Random): Palette {
  const sky = SKIES.find((entry) => speaksOf(words, entry.words));
  const place = PLACES.find((entry) => speaksOf(words, entry.words));
  let palette: Palette;
  if (sky && place) palette = placeUnderSky(place, sky);
  else palette = sky ?? place ?? random.pick([...SKIES, ...PLACES] as unknown as readonly [Mood, ...Mood[]]);
  for (const [names, color] of NAMED) if (speaksOf(words, names)) palette = pullTowards(palette, color);
  return speaksOf(words, GREYS) ? mapColors(palette, (color) => saturate(color, 0.08)) : palette;
}

/** The sky decides the light; the place keeps a good part of its own colours. */
function placeUnderSky(place: Palette, sky: Palette): Palette {
  return {
    ...sky,
    far: mix(place.far, sky.far, sky.dark ? 0.6 : 0.22),
    near: mix(place.near, sky.near, sky.dark ? 0.6 : 0.22),
    accents: [place.accents[0], sky.accents[1], place.accents[2], sky.accents[3]],
  };
}

function pullTowards(palette: Palette, color: Color): Palette {
  const tinted = mapColors(palette, (own) => {
    // The colour at the lightness that was there, so that light stays light and dark stays dark.
    const target = mix(
      color,
      lightness(own) > lightness(color) ? "#ffffff" : "#000000",
      Math.abs(lightness(own) - lightness(color)),
    );
    return mix(own, target, 0.4);
  });
  return {
    ...tinted,
    light: palette.light,
    accents: [color, tinted.accents[1], tinted.accents[2], tinted.accents[3]],
  };
}

function mapColors(palette: Palette, change: (color: Color) => Color): Palette {
  const { sky, accents } = palette;
  return {
    sky: [change(sky[0]), change(sky[1]), change(sky[2]), change(sky[3])],
    light: change(palette.light),
    far: change(palette.far),
    near: change(palette.near),
    accents: [change(accents[0]), change(accents[1]), change(accents[2]), change(accents[3])],
    dark: palette.dark,
  };
}

function mood(
  words: string,
  sky: string,
  light: Color,
  ground: string,
  accents: string,
  dark: boolean,
): Mood {
  const [far, near] = split(ground);
  return { words, sky: split(sky), light, far, near, accents: split(accents), dark };
}

function split(colors: string): [Color, Color, Color, Color] {
  const [a = "#000000", b = a, c = b, d = c] = colors.split(" ");
  return [a, b, c, d];
}
