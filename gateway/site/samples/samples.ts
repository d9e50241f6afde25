// Works made here, to show what each model does and to begin from: their prompts, and where their files are. `node scripts/make-samples.ts` makes
// the files of `files/` again with the embedded provider. Any page may show them:
//   samplesOf("atelier-canvas") -> Sample[], pictureOf(sample, "small" | "medium" | "large") -> { address, width, height }
//   responsivePicture(sample, "20rem") -> attributes of an img that comes in the size that the screen needs
import type { Modality } from "../../../proto/resources/job.ts";

export type Sample = {
  /** The base name of its files as well. */
  readonly id: string;
  readonly model: string;
  readonly modality: Modality;
  readonly prompt: string;
  /** Params in addition to the model's defaults. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
  /** The dimensions of the picture, or of the picture that represents a clip or a sound. */
  readonly shape: readonly [width: number, height: number];
  /** For a model that takes a picture: the sample that was its input, and the name of the param. */
  readonly from?: { readonly param: string; readonly sample: string };
  /** The seed of the sample. The form leaves it out, so that each person gets a new work. */
  readonly seed: number;
};

export type SamplePicture = { readonly address: string; readonly width: number; readonly height: number };

export const SAMPLES_PATH = "/samples";
/** Widths of pictures in pixels. */
export const PICTURE_WIDTHS = { small: 240, medium: 400, large: 640 } as const;

const SQUARE = [1, 1] as const;
const WIDE = [16, 9] as const;

export const SAMPLES: readonly Sample[] = [
  {
    id: "lighthouse-at-dusk",
    model: "atelier-canvas",
    modality: "image",
    prompt: "A lighthouse and two sailing boats on a calm sea at sunset",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 13,
  },
  {
    id: "balloons-over-mountains",
    model: "atelier-canvas",
    modality: "image",
    prompt: "Three hot air balloons over snowy mountains in the morning",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 9,
  },
  {
    id: "lake-under-the-aurora",
    model: "atelier-canvas",
    modality: "image",
    prompt: "A calm lake under the northern lights",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 13,
  },
  {
    id: "city-in-the-rain",
    model: "atelier-canvas",
    modality: "image",
    prompt: "City skyline at dusk in the rain",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 14,
  },
  {
    id: "poster-of-a-festival",
    model: "atelier-poster",
    modality: "image",
    prompt: "Techno festival, Berlin, 3-5 July, doors 22:00",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 21,
  },
  {
    id: "poster-of-jazz",
    model: "atelier-poster",
    modality: "image",
    prompt: "Jazz night at the Blue Room, Friday 9 pm",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 22,
  },
  {
    id: "poster-of-iceland",
    model: "atelier-poster",
    modality: "image",
    prompt: "Visit Iceland, travel poster with mountains at midnight",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 23,
  },
  {
    id: "poster-of-less",
    model: "atelier-poster",
    modality: "image",
    prompt: '"Less, but better" in black and red, Swiss style',
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 24,
  },
  {
    id: "pattern-of-leaves",
    model: "atelier-pattern",
    modality: "image",
    prompt: "Botanical leaves in sage and green",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 27,
  },
  {
    id: "gradient-of-dawn",
    model: "atelier-gradient",
    modality: "image",
    prompt: "Sunrise colours",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 28,
  },
  {
    id: "gradient-of-neon",
    model: "atelier-gradient",
    modality: "image",
    prompt: "Neon pink and cyan, grainy",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 29,
  },
  {
    id: "snow-over-mountains",
    model: "atelier-motion",
    modality: "video",
    prompt: "Snow over mountains and pine trees in the evening",
    params: { width: 1280, height: 720, duration_seconds: 3, picture: "landscape" },
    shape: WIDE,
    seed: 31,
  },
  {
    id: "boat-at-sunset",
    model: "atelier-motion",
    modality: "video",
    prompt: "A sailing boat on the sea at sunset",
    params: { width: 1280, height: 720, duration_seconds: 3, picture: "landscape" },
    shape: WIDE,
    seed: 32,
  },
  {
    id: "aurora-loop",
    model: "atelier-loop",
    modality: "video",
    prompt: "A lake under the northern lights",
    params: { width: 1280, height: 720, duration_seconds: 3, picture: "landscape" },
    shape: WIDE,
    seed: 41,
  },
  {
    id: "gradient-loop",
    model: "atelier-loop",
    modality: "video",
    prompt: "Ocean colours",
    params: { width: 1280, height: 720, duration_seconds: 3, picture: "gradient" },
    shape: WIDE,
    seed: 42,
  },
  {
    id: "good-evening",
    model: "atelier-voice",
    modality: "audio",
    prompt: "Good evening. This was made for you.",
    params: { voice: "slt" },
    shape: WIDE,
    seed: 0,
  },
  {
    id: "once-upon-a-time",
    model: "atelier-narrator",
    modality: "audio",
    prompt: "Once upon a time, by the sea.",
    params: { voice: "awb" },
    shape: WIDE,
    seed: 61,
  },
  {
    id: "lighthouse-in-watercolour",
    model: "atelier-restyle",
    modality: "image",
    prompt: "As a watercolour",
    params: { style: "watercolour" },
    shape: SQUARE,
    from: { param: "image", sample: "lighthouse-at-dusk" },
    seed: 71,
  },
  {
    id: "balloons-drifting",
    model: "atelier-drift",
    modality: "video",
    prompt: "The camera comes closer",
    params: { move: "zoom_in", width: 720, height: 720, duration_seconds: 3 },
    shape: SQUARE,
    from: { param: "image", sample: "balloons-over-mountains" },
    seed: 81,
  },
  {
    id: "sketch-of-penguins",
    model: "atelier-vector",
    modality: "image",
    prompt: "Three penguins and an igloo in the snow",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 91,
  },
  {
    id: "sketch-of-a-windmill",
    model: "atelier-vector",
    modality: "image",
    prompt: "A windmill and five tulips in spring",
    params: { width: 1024, height: 1024 },
    shape: SQUARE,
    seed: 92,
  },
];

/** The samples of one model; empty for a model that is not built in. */
export function samplesOf(model: string): readonly Sample[] {
  return SAMPLES.filter((sample) => sample.model === model);
}

export function findSample(id: unknown): Sample | undefined {
  return SAMPLES.find((sample) => sample.id === id);
}

/** The visible part: the picture, a frame of the clip, or the waveform of the sound. */
export function pictureOf(
  { id, modality, shape: [w, h] }: Sample,
  size: keyof typeof PICTURE_WIDTHS,
): SamplePicture {
  const width = PICTURE_WIDTHS[size];
  const file = modality === "audio" ? `${id}.svg` : `${id}-${size}.webp`;
  return { address: `${SAMPLES_PATH}/${file}`, width, height: Math.round((width * h) / w) };
}

/** All sizes of the picture for the browser to choose from; `sizes` is the displayed width. A drawing has one size. */
export function responsivePicture(
  sample: Sample,
  sizes: string,
): { src: string; width: number; height: number; srcset?: string; sizes?: string } {
  const { address: src, width, height } = pictureOf(sample, "small");
  if (sample.modality === "audio") return { src, width, height };
  const all = Object.keys(PICTURE_WIDTHS) as (keyof typeof PICTURE_WIDTHS)[];
  const srcset = all.map((size) => `${pictureOf(sample, size).address} ${PICTURE_WIDTHS[size]}w`).join(", ");
  return { src, width, height, srcset, sizes };
}

/** The clip or the sound itself; undefined for a picture. */
export function mediaOf({ id, modality }: Sample): string | undefined {
  if (modality === "image") return undefined;
  return `${SAMPLES_PATH}/${id}.${modality === "video" ? "mp4" : "wav"}`;
}
