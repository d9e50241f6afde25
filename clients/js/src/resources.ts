// The names under which programs know the shapes of the API. The shapes themselves are made from its OpenAPI document.
import type { Callback, Filters, Job } from "./openapi.ts";

export type {
  AccountEvent,
  AccountEventDelivery,
  ApiError,
  Balance,
  Callback,
  CatalogPage,
  Delivery,
  Estimate,
  GenerateResult,
  Issue,
  Job,
  JobEvent,
  LedgerEntry,
  LogProof,
  Me,
  Model,
  Output,
  Plan,
  Receipt,
  ReceiptKey,
  ReceiptPayload,
  CatalogProduct as Product,
  SolvencyProof,
  Upload,
  VerifiedFile,
  Workflow,
  WorkflowCallback,
  WorkflowResult,
} from "./openapi.ts";

export type Modality = Job["modality"];
export type JobState = Job["state"];

/** The filters of an iterator over pages. `limit` is the size of the pages that it reads, not how many items it yields. */
type Filter<List extends keyof Filters> = Omit<Filters[List], "cursor" | "page">;

export type JobFilter = Filter<"listJobs">;
export type LedgerFilter = Filter<"listLedger">;
export type DeliveryFilter = Filter<"listDeliveries">;
export type WorkflowFilter = Filter<"listWorkflows">;
export type ProductFilter = Filter<"listCatalogProducts">;

/** A test event has no job. */
export type TestCallback = Omit<Callback, "event" | "job"> & { event: "test"; job: null };
