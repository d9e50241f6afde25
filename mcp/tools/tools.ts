// Every tool that assistants are shown. Each endpoint lists its own in this order.
import type { Tool, ToolEndpoint } from "../protocol/tool.ts";
import { cancelJob } from "./cancel-job.ts";
import { connectGenerate } from "./connect-generate.ts";
import { createUpload } from "./create-upload.ts";
import { estimateGeneration } from "./estimate-generation.ts";
import { getCredits } from "./get-credits.ts";
import { getJob } from "./get-job.ts";
import { getMembership } from "./get-membership.ts";
import { getPlans } from "./get-plans.ts";
import { getProduct, getProductForAnyone } from "./get-product.ts";
import { getPurchaseLink } from "./get-purchase-link.ts";
import { howToConnect } from "./how-to-connect.ts";
import { listJobs, listJobsBriefly } from "./list-jobs.ts";
import { listLedger } from "./list-ledger.ts";
import { listLicences } from "./list-licences.ts";
import { listModels, listModelsForAnyone } from "./list-models.ts";
import { runWorkflow } from "./run-workflow.ts";
import { searchCatalog, searchCatalogForAnyone } from "./search-catalog.ts";

const TOOLS: readonly Tool[] = [
  getMembership,
  searchCatalog,
  searchCatalogForAnyone,
  getProduct,
  getProductForAnyone,
  listLicences,
  getPurchaseLink,
  connectGenerate,
  runWorkflow,
  createUpload,
  estimateGeneration,
  getJob,
  listJobs,
  listJobsBriefly,
  cancelJob,
  listModels,
  listModelsForAnyone,
  getPlans,
  howToConnect,
  getCredits,
  listLedger,
];

export function toolsAt(endpoint: ToolEndpoint): readonly Tool[] {
  return TOOLS.filter(({ endpoints }) => endpoints.includes(endpoint));
}
