// The member endpoint accepts member keys of accounts with an active membership that includes these tools.
import type { CoreClient } from "../../proto/client.ts";
import type { KeyRules } from "../protocol/auth.ts";
import { MEMBER_TOOLSET, MEMBER_TOOLSET_WITH_API } from "./tools.ts";

export function memberKeys(core: CoreClient): KeyRules {
  return {
    kind: "mem",
    source: "member",
    limit: "member",
    cancelTool: "cancel_job",
    authenticate: async (credential) => {
      const { plan_includes_api } = await core.memberships.Authenticate({}, credential);
      return plan_includes_api ? MEMBER_TOOLSET_WITH_API : MEMBER_TOOLSET;
    },
  };
}
