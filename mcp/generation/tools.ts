// The generation endpoint: its tools, how it describes itself and its errors, and its check of keys.
import type { CoreClient } from "../../proto/client.ts";
import { narratedGallery } from "../prompts/narrated-gallery.ts";
import { poster } from "../prompts/poster.ts";
import { productClip } from "../prompts/product-clip.ts";
import type { KeyRules } from "../protocol/auth.ts";
import { createToolset } from "../protocol/tool.ts";
import type { ErrorWords } from "../protocol/words.ts";
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

export const GENERATION_WORDS: ErrorWords = {
  missing_key: {
    hint: "Add the header Authorization: Bearer <key> to this server's entry in the assistant's settings; a key with the write scope can be created in account settings.",
  },
  invalid_key: {
    hint: "Check that the whole key was copied into the assistant's settings, that it is a generation key and that it is still live; create a new one in account settings if in doubt.",
  },
  insufficient_scope: {
    message: "This key may read but not write, and the tools need a key with the write scope.",
    hint: "Create a key with the write scope in account settings and put it into the assistant's settings in place of this one.",
  },
  plan_excludes_api: {
    hint: "Move to a plan that includes the API; the key works again as soon as the plan has changed.",
  },
  upload_not_found: {
    hint: "Call create_upload and send the file again, or use an output_id that get_job shows for a job of this account.",
  },
  input_unreachable: {
    hint: "Use an https address on the public internet that answers with the file itself, or call create_upload and pass its upload_id.",
  },
};

export function generationKeys(core: CoreClient): KeyRules {
  return {
    kind: "gen",
    source: "mcp",
    limit: "api",
    cancelTool: "cancel_job",
    authenticate: async (credential) => {
      await core.accounts.Authenticate({ required_scope: "write" }, credential);
      return GENERATION_TOOLSET;
    },
  };
}
