// What a process needs to know about privacy.
import type { Slice } from "../../kernel/slice.ts";
import { eraseDeletedAccounts } from "./erase-accounts.ts";
import { privacyHandlers } from "./rpc.ts";
import { PRIVACY_COLLECTIONS } from "./store.ts";

export const privacySlice: Slice = {
  name: "operations/privacy",
  collections: PRIVACY_COLLECTIONS,
  serve: (app) => ({ Accounts: privacyHandlers(app) }),
  loops: [{ what: "erase deleted accounts", everyMs: 60_000, step: (app) => eraseDeletedAccounts(app) }],
};
