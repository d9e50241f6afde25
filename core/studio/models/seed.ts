// The built-in models, so that a fresh installation can generate immediately.
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { insertMissingModels } from "./store.ts";

const SEED_PARAM = {
  type: "integer",
  minimum: 0,
  maximum: 4_294_967_295,
  description: "Another seed gives another work for the same prompt; the same seed repeats it.",
};
const RUN_TIMEOUT_MS = 120_000;

function side(fallback: number, minimum: number, maximum: number): object {
  return { type: "integer", minimum, maximum, multipleOf: 2, default: fallback };
}

function objectSchema(properties: Record<string, object>, required: readonly string[] = []): string {
  return JSON.stringify({
    type: "object",
    additionalProperties: false,
    properties,
    ...(required.length > 0 && { required }),
  });
}

const PICTURES = {
  width: side(1024, 64, 2048),
  height: side(1024, 64, 2048),
  count: {
    type: "integer",
    minimum: 1,
    maximum: 4,
    default: 1,
    description: "How many pictures, each another take on the prompt.",
  },
  seed: SEED_PARAM,
};
const CAPTION = {
  type: "boolean",
  default: false,
  description: "Writes the prompt small along the lower edge.",
};
const SCENE_PARAMS = objectSchema({ ...PICTURES, caption: CAPTION });

function styled(...styles: string[]): string {
  const description = "auto reads it from the prompt.";
  return objectSchema({
    ...PICTURES,
    style: { type: "string", enum: ["auto", ...styles], default: "auto", description },
  });
}

function videoParams(durationSeconds: number): string {
  return objectSchema({
    width: side(1280, 64, 1280),
    height: side(720, 64, 720),
    duration_seconds: { type: "number", minimum: 1, maximum: 10, default: durationSeconds },
    fps: { type: "integer", minimum: 5, maximum: 15, default: 12 },
    picture: {
      type: "string",
      enum: ["landscape", "gradient", "pattern", "sketch"],
      default: "landscape",
      description: "The model whose picture moves.",
    },
    seed: SEED_PARAM,
  });
}

const VOICE_PARAMS = {
  voice: {
    type: "string",
    enum: ["slt", "rms", "awb", "kal16"],
    default: "slt",
    description:
      "slt is a woman's voice, rms and awb are men's, the last a Scot; kal16 is older and plainer.",
  },
  speed: {
    type: "number",
    minimum: 0.5,
    maximum: 2,
    default: 1,
    description: "1 is the voice's own pace; 2 is twice as fast.",
  },
  pitch: {
    type: "number",
    minimum: 0.5,
    maximum: 2,
    default: 1,
    description: "1 is the voice's own pitch; 2 is an octave higher.",
  },
};

const PICTURE_PARAM = {
  type: "string",
  format: "atelier-input",
  "x-accept": "image",
  description: "The picture to work from: an upload, an output of yours, or an https address.",
};

const RESTYLE_PARAMS = objectSchema(
  {
    image: PICTURE_PARAM,
    style: {
      type: "string",
      enum: ["auto", "watercolour", "poster", "line", "duotone", "night"],
      default: "auto",
      description: "Kind of result; auto reads it from the prompt.",
    },
    strength: {
      type: "number",
      minimum: 0,
      maximum: 1,
      default: 0.85,
      description: "How much of the style: 0 leaves the picture as it is.",
    },
    max_side: {
      type: "integer",
      minimum: 64,
      maximum: 2048,
      default: 1536,
      description: "The longer side at most; a picture is never enlarged.",
    },
    seed: SEED_PARAM,
  },
  ["image"],
);

const DRIFT_PARAMS = objectSchema(
  {
    image: PICTURE_PARAM,
    move: {
      type: "string",
      enum: ["auto", "zoom_in", "zoom_out", "pan_left", "pan_right", "pan_up", "pan_down"],
      default: "auto",
      description: "Where the camera goes; auto reads it from the prompt.",
    },
    duration_seconds: { type: "number", minimum: 1, maximum: 10, default: 4 },
    fps: { type: "integer", minimum: 5, maximum: 15, default: 12 },
    width: side(1280, 64, 1280),
    height: side(720, 64, 1280),
    seed: SEED_PARAM,
  },
  ["image"],
);

type LocalModel = Pick<
  ModelDoc,
  | "_id"
  | "name"
  | "modality"
  | "description"
  | "credits"
  | "per"
  | "estimated_seconds"
  | "max_prompt_length"
  | "params_schema_json"
  | "provider_model"
>;

/** Exported so that tests check each with the rules that addModel applies. */
export const LOCAL_MODELS: readonly LocalModel[] = [
  {
    _id: "atelier-canvas",
    name: "Atelier Landscape",
    modality: "image",
    description: "Mountains, hills, woods, deserts, cities and seas in the light and weather of the prompt.",
    credits: 4,
    per: "image",
    estimated_seconds: 3,
    max_prompt_length: 4000,
    params_schema_json: SCENE_PARAMS,
    provider_model: "landscape",
  },
  {
    _id: "atelier-poster",
    name: "Atelier Poster",
    modality: "image",
    description:
      "Sets the prompt as a poster, in open fonts on a grid. Quoted words are printed, the rest says how.",
    credits: 4,
    per: "image",
    estimated_seconds: 2,
    max_prompt_length: 4000,
    params_schema_json: styled("bold", "swiss", "elegant", "deco", "travel"),
    provider_model: "poster",
  },
  {
    _id: "atelier-pattern",
    name: "Atelier Pattern",
    modality: "image",
    description:
      "Seamless patterns: leaves, terrazzo, waves, fans, tiles, dots, stars, or icons of what the prompt names.",
    credits: 3,
    per: "image",
    estimated_seconds: 2,
    max_prompt_length: 4000,
    params_schema_json: styled(
      "leaves",
      "terrazzo",
      "scales",
      "fans",
      "arcs",
      "tiles",
      "dots",
      "stars",
      "stripes",
    ),
    provider_model: "pattern",
  },
  {
    _id: "atelier-gradient",
    name: "Atelier Gradient",
    modality: "image",
    description: "Soft gradients in the colours of the prompt: a mesh, a duotone, rings or bands.",
    credits: 3,
    per: "image",
    estimated_seconds: 2,
    max_prompt_length: 4000,
    params_schema_json: styled("mesh", "duotone", "rings", "bands"),
    provider_model: "gradient",
  },
  {
    _id: "atelier-motion",
    name: "Atelier Motion",
    modality: "video",
    description: "A slow camera ride through a landscape of the prompt, or through another model's picture.",
    credits: 8,
    per: "second",
    estimated_seconds: 8,
    max_prompt_length: 4000,
    params_schema_json: videoParams(4),
    provider_model: "motion",
  },
  {
    _id: "atelier-loop",
    name: "Atelier Loop",
    modality: "video",
    description: "A short clip that ends where it begins, for backgrounds.",
    credits: 5,
    per: "second",
    estimated_seconds: 6,
    max_prompt_length: 4000,
    params_schema_json: videoParams(3),
    provider_model: "loop",
  },
  {
    _id: "atelier-voice",
    name: "Atelier Voice",
    modality: "audio",
    description: "Speaks the prompt; four voices, any pace.",
    credits: 2,
    per: "generation",
    estimated_seconds: 2,
    max_prompt_length: 4000,
    params_schema_json: objectSchema(VOICE_PARAMS),
    provider_model: "voice",
  },
  {
    _id: "atelier-narrator",
    name: "Atelier Narrator",
    modality: "audio",
    description: "Reads the prompt slowly over soft music, with a chime at both ends.",
    credits: 5,
    per: "generation",
    estimated_seconds: 4,
    max_prompt_length: 2000,
    params_schema_json: objectSchema({
      ...VOICE_PARAMS,
      music: {
        type: "number",
        minimum: 0,
        maximum: 1,
        default: 0.5,
        description: "Loudness of the bed; 0 leaves it out.",
      },
      seed: { ...SEED_PARAM, description: "Another seed gives another bed." },
    }),
    provider_model: "narrator",
  },
  {
    _id: "atelier-restyle",
    name: "Atelier Restyle",
    modality: "image",
    description: "Your picture in another style: watercolour, poster, line, duotone or night.",
    credits: 3,
    per: "generation",
    estimated_seconds: 2,
    max_prompt_length: 4000,
    params_schema_json: RESTYLE_PARAMS,
    provider_model: "restyle",
  },
  {
    _id: "atelier-drift",
    name: "Atelier Drift",
    modality: "video",
    description: "Your picture as a clip: a camera that zooms or pans slowly over it.",
    credits: 6,
    per: "second",
    estimated_seconds: 8,
    max_prompt_length: 4000,
    params_schema_json: DRIFT_PARAMS,
    provider_model: "drift",
  },
  {
    _id: "atelier-vector",
    name: "Atelier Sketch",
    modality: "image",
    description:
      "Ready-made icons of the things that a prompt names, in its place and light. Refuses a prompt of which it knows no word.",
    credits: 2,
    per: "image",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    params_schema_json: SCENE_PARAMS,
    provider_model: "sketch",
  },
];

/**
 * Adds missing models and leaves changes by operators. Returns the number of added models. It is safe in several processes at the same
 * time.
 */
export async function seedModels(app: Pick<App, "mongo" | "clock">): Promise<number> {
  const now = app.clock.now();
  const documents = LOCAL_MODELS.map((model, i) => ({
    ...model,
    status: "live" as const,
    provider: "local",
    run_timeout_ms: RUN_TIMEOUT_MS,
    provider_options: {},
    order: (i + 1) * 10,
    created_at: now,
    updated_at: now,
  }));
  return insertMissingModels(app.mongo.db, documents);
}
