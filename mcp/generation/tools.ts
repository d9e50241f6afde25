// The tools of the generation endpoint, and how the endpoint describes itself.
import { narratedGallery } from "../prompts/narrated-gallery.ts";
import { poster } from "../prompts/poster.ts";
import { productClip } from "../prompts/product-clip.ts";
import { createToolset } from "../protocol/tool.ts";
import { docs } from "../resources/docs.ts";
import { models } from "../resources/models.ts";
import { listSkills, skillDocs } from "../resources/skills.ts";
import { toolsAt } from "../tools/tools.ts";

export const GENERATION_INSTRUCTIONS = [
  "Makes images, videos and audio from a text prompt, for credits of the key's account.",
  "Call list_models for models, prices and options, then connect_generate, then get_job until the job has ended.",
  "A failed job is refunded automatically.",
].join(" ");

export const GENERATION_TOOLSET = createToolset(toolsAt("generation"), {
  resources: [models, docs, skillDocs],
  skills: listSkills,
  prompts: [poster, productClip, narratedGallery],
});
