// The generation endpoint's tools in the order in which they are listed, and how the server introduces itself.
import type { Implementation } from "@modelcontextprotocol/server";
import { narratedGallery } from "../prompts/narrated-gallery.ts";
import { poster } from "../prompts/poster.ts";
import { productClip } from "../prompts/product-clip.ts";
import { createToolset } from "../protocol/tool.ts";
import { docs } from "../resources/docs.ts";
import { models } from "../resources/models.ts";
import { cancelJob } from "../tools/cancel-job.ts";
import { connectGenerate } from "../tools/connect-generate.ts";
import { estimateGeneration } from "../tools/estimate-generation.ts";
import { createUpload } from "../tools/create-upload.ts";
import { getCredits } from "../tools/get-credits.ts";
import { getJob } from "../tools/get-job.ts";
import { listJobs } from "../tools/list-jobs.ts";
import { listLedger } from "../tools/list-ledger.ts";
import { listModels } from "../tools/list-models.ts";
import { runWorkflow } from "../tools/run-workflow.ts";

export const GENERATION_INFO: Implementation = {
  name: "atelier-generation",
  title: "Atelier generation",
  version: "1.0.0",
};

export const GENERATION_INSTRUCTIONS = [
  "Makes images, videos and audio from a text prompt, for credits of the key's account.",
  "Call list_models for models, prices and options, then connect_generate, then get_job until the job has ended.",
  "A failed job is refunded automatically.",
].join(" ");

export const GENERATION_TOOLSET = createToolset(
  [
    connectGenerate,
    runWorkflow,
    createUpload,
    estimateGeneration,
    getJob,
    listJobs,
    cancelJob,
    listModels,
    getCredits,
    listLedger,
  ],
  { resources: [models, docs], prompts: [poster, productClip, narratedGallery] },
);
