// Members and their keys, created as support does: through service Admin, with an operator and a reason.
import type { Caller } from "../../../../proto/caller.ts";
import type { CoreClient } from "../../../../proto/client.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { createCustomer } from "../../../support/app.ts";
import type { TestCore } from "../../../support/core.ts";

export type Member = { accountId: string; keyId: string; key: string; caller: Caller };

/** The options of support's calls. */
export function supportClient(
  core: TestCore,
  operatorContext = { operator: "Grace", reason: "ticket 7" },
): CoreClient {
  return core.client("cli", ["Admin"], undefined, operatorContext);
}

/** The caller that core sees for this key at the member tools. */
export function memberCaller(key: string): Caller {
  return { kind: "key", keySha256: hashApiKey(key), source: "member" };
}

/** An account with a membership of `tier` until `until`, and a member key. */
export async function createMember(
  { app }: Pick<TestCore, "app">,
  support: CoreClient,
  { plan = "pro", credits = 1000, tier = "plus", until = "2999-01-01T00:00:00Z" } = {},
): Promise<Member> {
  const { accountId } = await createCustomer(app, { plan, credits });
  await support.admin.SetMembership({ account: accountId, tier, until });
  return { accountId, ...(await provisionKey(support, accountId)) };
}

export async function provisionKey(support: CoreClient, account: string): Promise<Omit<Member, "accountId">> {
  const { secret, key } = await support.admin.ProvisionMemberKey({ account, name: "assistant" });
  return { keyId: key?.key_id ?? "", key: secret, caller: memberCaller(secret) };
}
