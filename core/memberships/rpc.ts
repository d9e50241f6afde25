// The Memberships service: decode, call the verb, encode.
import { AppError } from "../../proto/codes.ts";
import type { LicenceInput } from "../../proto/types/atelier/v1/Licence.ts";
import type { ListLicencesReplyInput } from "../../proto/types/atelier/v1/ListLicencesReply.ts";
import type { MembershipsDefinition } from "../../proto/types/atelier/v1/Memberships.ts";
import type { App } from "../app.ts";
import type { PageRequest } from "../page.ts";
import type { Handlers } from "../rpc.ts";
import { authenticateMember } from "./authenticate-member.ts";
import { describeMembership } from "./describe-membership.ts";
import { listLicences } from "./list-licences.ts";
import type { LicenceDoc } from "./store.ts";
import { loadTiers } from "./load-tiers.ts";

export function membershipsHandlers(app: App): Handlers<MembershipsDefinition> {
  return {
    async Authenticate(_request, { caller }) {
      if (caller.kind !== "key") throw new AppError("missing_key");
      const { account, plan, keyId } = await authenticateMember(app, caller);
      return {
        account_id: account._id,
        key_id: keyId ?? "",
        tier: account.membership?.tier ?? "",
        plan: plan._id,
        plan_includes_api: plan.api,
      };
    },
    async GetMembership(_request, { caller }) {
      const { account } = await authenticateMember(app, caller);
      return describeMembership(app, account);
    },
    async ListLicences(request, { caller }) {
      const { account } = await authenticateMember(app, caller);
      return licencePage(app, account._id, request);
    },
    async ListTiers() {
      const tiers = await loadTiers(app);
      return {
        tiers: [...tiers.values()].map(({ _id, name, member_tools, plus_products }) => ({
          tier: _id,
          name,
          member_tools,
          plus_products,
        })),
      };
    },
  };
}

export async function licencePage(
  app: App,
  accountId: string,
  request: PageRequest,
): Promise<ListLicencesReplyInput> {
  const { rows, nextCursor } = await listLicences(app, accountId, request);
  return { licences: rows.map(encodeLicence), next_cursor: nextCursor };
}

export function encodeLicence(licence: LicenceDoc): LicenceInput {
  return {
    licence_id: licence._id,
    account_id: licence.account_id,
    product_id: licence.product_id,
    product_slug: licence.product_slug,
    product_name: licence.product_name,
    kind: licence.kind,
    source: licence.source,
    status: licence.revoked_at ? "revoked" : "active",
    granted_at: licence.granted_at.toISOString(),
    ...(licence.revoked_at && { revoked_at: licence.revoked_at.toISOString() }),
  };
}
