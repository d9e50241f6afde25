import type { components, operations } from "./openapi.js";
type Schemas = components["schemas"];
export type ApiError = Schemas["ApiError"];
export type Balance = Schemas["Balance"];
export type Callback = Schemas["Callback"];
export type CatalogPage = Schemas["CatalogPage"];
export type Delivery = Schemas["Delivery"];
export type Estimate = Schemas["Estimate"];
export type GenerateResult = Schemas["GenerateResult"];
export type Issue = Schemas["Issue"];
export type Job = Schemas["Job"];
export type JobEvent = Schemas["JobEvent"];
export type LedgerEntry = Schemas["LedgerEntry"];
export type Me = Schemas["Me"];
export type Model = Schemas["Model"];
export type Output = Schemas["Output"];
export type Plan = Schemas["Plan"];
export type Product = Schemas["CatalogProduct"];
export type Upload = Schemas["Upload"];
export type VerifiedFile = Schemas["VerifiedFile"];
export type Workflow = Schemas["Workflow"];
export type WorkflowCallback = Schemas["WorkflowCallback"];
export type WorkflowResult = Schemas["WorkflowResult"];
export type Modality = Job["modality"];
export type JobState = Job["state"];
/** What an iterator over pages filters by. `limit` is the size of the pages it reads, not how many it gives. */
type Filter<Operation extends keyof operations> = Omit<NonNullable<operations[Operation]["parameters"]["query"]>, "cursor" | "page">;
export type JobFilter = Filter<"listJobs">;
export type LedgerFilter = Filter<"listLedger">;
export type DeliveryFilter = Filter<"listDeliveries">;
export type WorkflowFilter = Filter<"listWorkflows">;
export type ProductFilter = Filter<"listCatalogProducts">;
/** A test event has no job. */
export type TestCallback = Omit<Callback, "event" | "job"> & {
    event: "test";
    job: null;
};
export {};
