// Translates a request in OpenAI's format into the model's own params, as far as its schema has them. Other fields are accepted only with
// neutral values; the refusal names the supported ones. Pure.
import type { Issue } from "../../proto/codes.ts";
import type { ModelResource } from "../../proto/resources/model.ts";

const MASK = "mask";

/** The model's params, or the fields of the request that it cannot meet. */
export type Asked = { readonly params: Readonly<Record<string, unknown>>; readonly issues: readonly Issue[] };

type Model = Pick<ModelResource, "model_slug" | "params_schema" | "provider">;
/** The used part of a param's schema. */
type Param = {
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly format?: string;
  readonly "x-accept"?: string | readonly string[];
};

export type ImageParams = {
  readonly n?: number | undefined;
  readonly size?: string | undefined;
  readonly quality?: string | undefined;
  readonly style?: string | undefined;
  readonly background?: string | undefined;
  readonly moderation?: string | undefined;
  readonly output_format?: string | undefined;
};

export type EditParams = Omit<ImageParams, "style" | "moderation"> & {
  /** What names a picture for a param: an upload, an output or a URL. */
  readonly image: readonly string[];
  readonly mask?: string | undefined;
  readonly input_fidelity?: string | undefined;
};

export type VideoParams = {
  readonly seconds?: number | undefined;
  readonly size?: string | undefined;
  readonly input_reference?: string | undefined;
};

export type SpeechParams = {
  readonly voice?: string | undefined;
  readonly speed?: number | undefined;
  readonly instructions?: string | undefined;
  readonly response_format?: string | undefined;
};

const LOCAL = "local";

export function imageParams(model: Model, settings: ImageParams): Asked {
  const { n, size, quality, style, background, moderation, output_format } = settings;
  return join(
    askCount(model, n),
    askSize(model, size),
    // What asks for nothing in particular, as OpenAI has it.
    askWord(model, "quality", quality, ["auto", "standard"]),
    askWord(model, "style", style, ["vivid"]),
    askWord(model, "background", background, ["auto", "opaque"]),
    askWord(model, "moderation", moderation, ["auto"]),
    askWord(model, "output_format", output_format, model.provider === LOCAL ? ["png"] : []),
  );
}

export function editParams(model: Model, { image, mask, input_fidelity, ...settings }: EditParams): Asked {
  return join(
    askPictures(model, "image", image),
    mask === undefined ? NOTHING : paramOf(model, MASK) ? asks({ mask }) : cannot("mask", leaveOut(model)),
    askWord(model, "input_fidelity", input_fidelity, ["low"]),
    imageParams(model, settings),
  );
}

export function videoParams(model: Model, { seconds, size, input_reference: picture }: VideoParams): Asked {
  return join(
    askSeconds(model, seconds),
    askSize(model, size),
    picture === undefined ? NOTHING : askPictures(model, "input_reference", [picture]),
  );
}

export function speechParams(model: Model, settings: SpeechParams): Asked {
  const { voice, speed, instructions, response_format } = settings;
  return join(
    askVoice(model, voice),
    askSpeed(model, speed),
    askInstructions(model, instructions),
    askFormat(model, response_format),
  );
}

const NOTHING: Asked = { params: {}, issues: [] };
const asks = (params: Record<string, unknown>): Asked => ({ params, issues: [] });
const cannot = (path: string, message: string): Asked => ({ params: {}, issues: [{ path, message }] });

function join(...all: readonly Asked[]): Asked {
  const params = Object.assign({}, ...all.map((one) => one.params)) as Record<string, unknown>;
  return { params, issues: all.flatMap(({ issues }) => issues) };
}

function paramOf({ params_schema }: Pick<Model, "params_schema">, name: string): Param | undefined {
  const all = params_schema["properties"];
  if (typeof all !== "object" || all === null || !Object.hasOwn(all, name)) return undefined;
  const param: unknown = (all as Record<string, unknown>)[name];
  return typeof param === "object" && param !== null ? param : undefined;
}

/** The params that take a picture to work from, in their order. */
export function pictureInputs(model: Pick<ModelResource, "params_schema">): string[] {
  const names = Object.keys(Object(model.params_schema["properties"]) as object);
  return names.filter((name) => {
    const { format, "x-accept": accept = "image" } = paramOf(model, name) ?? {};
    return name !== MASK && format === "atelier-input" && [accept].flat().includes("image");
  });
}

function askPictures(model: Model, field: string, pictures: readonly string[]): Asked {
  const inputs = pictureInputs(model);
  if (inputs.length === 0) return cannot(field, `must be left out: ${model.model_slug} takes no picture`);
  if (pictures.length > inputs.length)
    return cannot(field, `must be at most ${inputs.length}: ${model.model_slug} takes no more`);
  return asks(Object.fromEntries(pictures.map((picture, i) => [inputs[i], picture])));
}

function askSeconds(model: Model, seconds: number | undefined): Asked {
  const own = paramOf(model, "duration_seconds");
  if (seconds === undefined) return NOTHING;
  if (!own) return cannot("seconds", leaveOut(model));
  return fits(own, seconds)
    ? asks({ duration_seconds: seconds })
    : cannot("seconds", `must be ${rangeOf(own)}`);
}

function askCount(model: Model, n: number | undefined): Asked {
  const count = paramOf(model, "count");
  if (n === undefined || (n === 1 && !count)) return NOTHING;
  if (!count) return cannot("n", `must be 1: ${model.model_slug} makes one picture at a time`);
  return fits(count, n) ? asks({ count: n }) : cannot("n", `must be ${rangeOf(count)}`);
}

function askSize(model: Model, size: string | undefined): Asked {
  if (size === undefined || size === "auto") return NOTHING;
  const [, width = 0, height = 0] = (/^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []).map(Number);
  const named = paramOf(model, "size");
  if (named?.enum) {
    if (named.enum.includes(size)) return asks({ size });
    return cannot("size", `must be auto or one of ${named.enum.join(", ")}`);
  }
  const [wide, high] = [paramOf(model, "width"), paramOf(model, "height")];
  if (wide && high) {
    if (fits(wide, width) && fits(high, height)) return asks({ width, height });
    const words = `a width of ${rangeOf(wide)} and a height of ${rangeOf(high)}`;
    return cannot("size", `must be auto, or like 1024x768 with ${words}`);
  }
  const ratios = paramOf(model, "aspect_ratio")?.enum;
  if (ratios) {
    const ratio = ratios.find((one) => isRatio(one, width, height));
    if (ratio !== undefined) return asks({ aspect_ratio: ratio });
    return cannot("size", `must be auto, or a size in one of the ratios ${ratios.join(", ")}`);
  }
  return cannot("size", `must be auto or left out: ${model.model_slug} makes one size`);
}

/** Sizes are in whole pixels, so they hit a ratio only nearly. */
function isRatio(ratio: unknown, width: number, height: number): boolean {
  const [, across = 0, down = 0] = (/^(\d+):(\d+)$/.exec(String(ratio)) ?? []).map(Number);
  return width > 0 && height > 0 && down > 0 && Math.abs((width * down) / (height * across) - 1) < 0.01;
}

function askWord(model: Model, name: string, value: string | undefined, neutral: readonly string[]): Asked {
  if (value === undefined) return NOTHING;
  const own = paramOf(model, name);
  if (own && (own.enum?.includes(value) ?? true)) return asks({ [name]: value });
  if (neutral.includes(value)) return NOTHING;
  const possible = [...new Set([...neutral, ...(own?.enum ?? [])])];
  return cannot(name, possible.length > 0 ? `must be ${oneOf(possible)}` : leaveOut(model));
}

/** Voices of OpenAI: those that sound like a woman's, like a man's, and like neither; each always gets the same voice of a model. */
const VOICES = [
  ["alloy", "coral", "nova", "sage", "shimmer", "marin"],
  ["echo", "onyx", "ash", "verse", "cedar"],
  ["fable", "ballad"],
];

function askVoice(model: Model, voice: string | undefined): Asked {
  if (voice === undefined) return NOTHING;
  const own = paramOf(model, "voice");
  const voices = own?.enum ?? [];
  if (own && (voices.includes(voice) || !own.enum)) return asks({ voice });
  const group = VOICES.findIndex((names) => names.includes(voice));
  if (group === -1) return cannot("voice", `must be ${oneOf([...voices, ...VOICES.flat()])}`);
  return voices.length > 0 ? asks({ voice: voices[group] ?? voices[0] }) : NOTHING;
}

function askSpeed(model: Model, speed: number | undefined): Asked {
  const own = paramOf(model, "speed");
  if (speed === undefined || (speed === 1 && !own)) return NOTHING;
  if (!own) return cannot("speed", `must be 1: ${model.model_slug} has one pace`);
  return fits(own, speed) ? asks({ speed }) : cannot("speed", `must be ${rangeOf(own)}`);
}

function askInstructions(model: Model, instructions: string | undefined): Asked {
  if (instructions === undefined || instructions === "") return NOTHING;
  return paramOf(model, "instructions") ? asks({ instructions }) : cannot("instructions", leaveOut(model));
}

function askFormat(model: Model, format: string | undefined): Asked {
  const asked = askWord(model, "output_format", format, model.provider === LOCAL ? ["wav"] : []);
  return { ...asked, issues: asked.issues.map((issue) => ({ ...issue, path: "response_format" })) };
}

function fits(
  { minimum = -Infinity, maximum = Infinity, multipleOf, enum: values }: Param,
  value: number,
): boolean {
  if (values) return values.includes(value);
  return value >= minimum && value <= maximum && (multipleOf === undefined || value % multipleOf === 0);
}

/** "64 to 2048, in steps of 2". */
function rangeOf({ minimum, maximum, multipleOf, enum: values }: Param): string {
  if (values) return oneOf(values);
  const range =
    minimum === undefined
      ? `at most ${maximum}`
      : maximum === undefined
        ? `at least ${minimum}`
        : `${minimum} to ${maximum}`;
  return multipleOf === undefined || multipleOf === 1 ? range : `${range} in steps of ${multipleOf}`;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
}

function leaveOut({ model_slug }: Model): string {
  return `must be left out: ${model_slug} has no choice of it`;
}
