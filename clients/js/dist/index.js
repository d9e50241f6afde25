// What the package exports.
export { Atelier, } from "./atelier.js";
export { AtelierError, AtelierJobError, AtelierWorkflowError } from "./errors.js";
export { verifyCallback } from "./callbacks.js";
export { checkLedger } from "./ledger.js";
