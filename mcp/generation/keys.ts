// The generation endpoint accepts generation keys with the write scope, on a plan that includes the API.
import type { CoreClient } from "../../proto/client.ts";
import type { KeyRules } from "../protocol/auth.ts";
import { GENERATION_TOOLSET } from "./tools.ts";

export function generationKeys(core: CoreClient): KeyRules {
  return {
    kind: "gen",
    source: "mcp",
    limit: "api",
    cancelTool: "cancel_job",
    authenticate: async (credential) => {
      await core.accounts.Authenticate({ required_scope: "write" }, credential);
      return GENERATION_TOOLSET;
    },
  };
}
