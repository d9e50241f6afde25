export { Atelier, type AtelierOptions, type CallOptions, type EventsOptions, type GenerateOptions, type Generation, type WaitOptions, type WorkflowRequest, type WorkflowStep, } from "./atelier.js";
export { AtelierError, AtelierJobError, AtelierWorkflowError, type ClientErrorCode } from "./errors.js";
export { type AnyCallback, verifyCallback, type VerifyCallback } from "./callbacks.js";
export { checkLedger, type LedgerProof } from "./ledger.js";
export type * from "./resources.js";
