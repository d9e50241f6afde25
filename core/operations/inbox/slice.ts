// What a process needs to know about the inbox.
import type { Slice } from "../../kernel/slice.ts";
import { inboxHandlers } from "./rpc.ts";

export const inboxSlice: Slice = {
  name: "operations/inbox",
  serve: (app) => ({ Accounts: inboxHandlers(app) }),
};
