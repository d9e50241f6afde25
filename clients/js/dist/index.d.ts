export { Atelier, type AtelierOptions, type CallOptions, type EventsOptions, type GenerateOptions, type Generation, type WaitOptions, } from "./atelier.js";
export { AtelierError, AtelierJobError, type ClientErrorCode } from "./errors.js";
export { verifyCallback, type VerifyCallback } from "./callbacks.js";
export { checkLedger, type LedgerProof } from "./ledger.js";
export type * from "./resources.js";
