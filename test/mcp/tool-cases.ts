// A case for each tool: valid arguments and its call of core, if any. A different case for an endpoint has the endpoint's name too. Tests
// of all tools iterate over this list, so a new tool needs one entry here.
import { WORKFLOW_REQUEST, WORKFLOW_RESULT } from "../../gateway/openapi/examples-workflow.ts";
import { ESTIMATE, UPLOAD_ADDRESS } from "../../gateway/openapi/examples.ts";
import { CATALOG_TOOLSET } from "../../mcp/catalog/tools.ts";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { MEMBER_TOOLSET_WITH_API } from "../../mcp/member/tools.ts";
import { toMessage } from "../../proto/codec.ts";
import { estimateSchema } from "../../proto/resources/estimate.ts";
import { uploadAddressSchema } from "../../proto/resources/upload.ts";
import { workflowResultSchema } from "../../proto/resources/workflow.ts";
import { PICTURE } from "./messages.ts";

/** The tools of each endpoint. */
export const TOOLSETS = {
  catalog: CATALOG_TOOLSET,
  generation: GENERATION_TOOLSET,
  member: MEMBER_TOOLSET_WITH_API,
} as const;
export type EndpointName = keyof typeof TOOLSETS;

export type ToolCase = {
  args: object;
  /** The REST operations whose declared errors the tool shares. */
  meets: readonly string[];
  method?: string;
  /** Results of methods that the fake core does not implement. */
  reply?: unknown;
};

export const TOOL_CASES: Readonly<Record<string, ToolCase>> = {
  connect_generate: {
    args: { ...PICTURE, wait_seconds: 1 },
    meets: ["connectGenerate"],
    method: "jobs.Generate",
  },
  estimate_generation: {
    args: PICTURE,
    meets: ["connectEstimate"],
    method: "jobs.Estimate",
    reply: toMessage(estimateSchema, ESTIMATE),
  },
  run_workflow: {
    args: { steps: WORKFLOW_REQUEST.steps },
    meets: ["runWorkflow"],
    method: "workflows.RunWorkflow",
    reply: toMessage(workflowResultSchema, WORKFLOW_RESULT),
  },
  create_upload: {
    args: { bytes: 100 },
    meets: ["createUploadAddress"],
    method: "uploads.CreateUploadAddress",
    reply: toMessage(uploadAddressSchema, UPLOAD_ADDRESS),
  },
  get_job: { args: { job_id: "job_1" }, meets: ["getJob", "getWorkflow"], method: "jobs.GetJob" },
  list_jobs: { args: { limit: 1 }, meets: ["listJobs"], method: "jobs.ListJobs" },
  cancel_job: { args: { job_id: "job_2" }, meets: ["cancelJob", "cancelWorkflow"], method: "jobs.CancelJob" },
  list_models: { args: {}, meets: ["listModels"], method: "models.ListModels" },
  get_credits: { args: {}, meets: ["getBalance"], method: "credits.GetBalance" },
  prove_ledger: { args: {}, meets: ["listLedger"], method: "credits.ListLedger" },
  list_ledger: { args: { limit: 1 }, meets: ["listLedger"], method: "credits.ListLedger" },
  get_membership: { args: {}, meets: [], method: "memberships.GetMembership" },
  search_catalog: {
    args: { facets: ["category"] },
    meets: ["listCatalogProducts"],
    method: "catalog.ListProducts",
  },
  get_product: {
    args: { slug: "harbour-icons" },
    meets: ["getCatalogProduct"],
    method: "catalog.GetProduct",
  },
  list_licences: { args: {}, meets: [], method: "memberships.ListLicences" },
  "catalog list_models": { args: {}, meets: ["listPlans"], method: "models.ShowModels" },
  get_plans: { args: {}, meets: ["listPlans"], method: "models.ListPlans" },
  how_to_connect: { args: {}, meets: [] },
  get_purchase_link: {
    args: { slug: "harbour-icons" },
    meets: ["getCatalogProduct"],
    method: "catalog.GetProduct",
  },
};
