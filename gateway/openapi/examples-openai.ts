// The same job as in the other examples, as it looks to a tool that speaks OpenAI's API.
import { GENERATE_REQUEST, JOB, UPLOAD } from "./examples.ts";

export const OPENAI_IMAGE_REQUEST = {
  model: GENERATE_REQUEST.model_slug,
  prompt: GENERATE_REQUEST.prompt,
  size: "1024x1024",
};

export const OPENAI_IMAGES = {
  created: Math.floor(Date.parse(JOB.ended_at ?? "") / 1000),
  data: JOB.outputs.map(({ url }) => ({ url })),
};

export const OPENAI_EDIT_REQUEST = {
  model: "atelier-restyle",
  prompt: "as a watercolour",
  image: UPLOAD.upload_id,
};

export const OPENAI_VIDEO_REQUEST = { model: "sora-2", prompt: GENERATE_REQUEST.prompt, seconds: "4" };

export const OPENAI_VIDEO = {
  id: JOB.job_id,
  object: "video",
  status: "in_progress",
  progress: 40,
  model: "atelier-motion",
  prompt: GENERATE_REQUEST.prompt,
  seconds: "4",
  size: "640x360",
  created_at: OPENAI_IMAGES.created - 2,
  completed_at: null,
  expires_at: null,
  error: null,
  remixed_from_video_id: null,
} as const;

export const OPENAI_VIDEOS = {
  object: "list",
  data: [OPENAI_VIDEO],
  first_id: OPENAI_VIDEO.id,
  last_id: OPENAI_VIDEO.id,
  has_more: false,
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
