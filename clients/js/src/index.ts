// What the package exports.
export {
  Atelier,
  type AtelierOptions,
  type CallOptions,
  type EventsOptions,
  type GenerateOptions,
  type Generation,
  type WaitOptions,
  type WorkflowRequest,
  type WorkflowStep,
} from "./atelier.ts";
export { AtelierError, AtelierJobError, AtelierWorkflowError, type ClientErrorCode } from "./errors.ts";
export {
  type AnyCallback,
  verifyCallback,
  type VerifyCallback,
  verifyEvent,
  type VerifyEvent,
} from "./callbacks.ts";
export { checkLedger, type LedgerProof } from "./ledger.ts";
export { verifyReceipt, type VerifyReceipt } from "./receipts.ts";
export type * from "./resources.ts";
