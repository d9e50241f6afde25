// The same job as in the other examples, as it looks to a tool that speaks OpenAI's API.
import { GENERATE_REQUEST, JOB } from "./examples.ts";

export const OPENAI_IMAGE_REQUEST = {
  model: GENERATE_REQUEST.model_slug,
  prompt: GENERATE_REQUEST.prompt,
  size: "1024x1024",
};

export const OPENAI_IMAGES = {
  created: Math.floor(Date.parse(JOB.ended_at ?? "") / 1000),
  data: JOB.outputs.map(({ url }) => ({ url })),
};

export const OPENAI_SPEECH_REQUEST = { model: "tts-1", input: "Good evening.", voice: "alloy" };

export const OPENAI_MODELS = {
  object: "list",
  data: [GENERATE_REQUEST.model_slug, "gpt-image-1"].map((id) => ({
    id,
    object: "model",
    created: 0,
    owned_by: "local",
  })),
};
