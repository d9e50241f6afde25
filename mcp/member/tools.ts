// The member endpoint's tools in the order in which they are listed, and how the server introduces itself.
import type { Implementation } from "@modelcontextprotocol/server";
import { narratedGallery } from "../prompts/narrated-gallery.ts";
import { poster } from "../prompts/poster.ts";
import { productClip } from "../prompts/product-clip.ts";
import { createToolset } from "../protocol/tool.ts";
import { docs } from "../resources/docs.ts";
import { models } from "../resources/models.ts";
import { products } from "../resources/products.ts";
import { connectGenerate } from "../tools/connect-generate.ts";
import { getCredits } from "../tools/get-credits.ts";
import { getJob } from "../tools/get-job.ts";
import { listJobsBriefly } from "../tools/list-jobs.ts";
import { listLedger } from "../tools/list-ledger.ts";
import { listModels } from "../tools/list-models.ts";
import { getMembership } from "../tools/get-membership.ts";
import { getProduct } from "../tools/get-product.ts";
import { getPurchaseLink } from "../tools/get-purchase-link.ts";
import { listLicences } from "../tools/list-licences.ts";
import { runWorkflow } from "../tools/run-workflow.ts";
import { searchCatalog } from "../tools/search-catalog.ts";

export const MEMBER_INFO: Implementation = {
  name: "atelier-member",
  title: "Atelier membership",
  version: "1.0.0",
};

export const MEMBER_INSTRUCTIONS = [
  "What a member of the marketplace can look up and do: products and the pages to buy them on, membership, licences, credits and generation jobs.",
  "These tools cannot buy anything or change the account; the user confirms that on the website.",
  "connect_generate and run_workflow are listed only while the member's plan includes the API.",
].join(" ");

const TOOLS = [
  getMembership,
  searchCatalog,
  getProduct,
  listLicences,
  getPurchaseLink,
  listModels,
  getCredits,
  listLedger,
  listJobsBriefly,
  getJob,
];

const RESOURCES = [models, docs, products];

export const MEMBER_TOOLSET = createToolset(TOOLS, { resources: RESOURCES });
/** The prompts are about generating. */
export const MEMBER_TOOLSET_WITH_API = createToolset([...TOOLS, connectGenerate, runWorkflow], {
  resources: RESOURCES,
  prompts: [poster, productClip, narratedGallery],
});
