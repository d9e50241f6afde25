// The Memberships service: decode, call the verb, encode.
import { toMessage } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { licenceSchema, membershipSchema } from "../../../proto/resources/membership.ts";
import type { LicenceInput } from "../../../proto/types/atelier/v1/Licence.ts";
import type { ListLicencesReplyInput } from "../../../proto/types/atelier/v1/ListLicencesReply.ts";
import type { MembershipInput } from "../../../proto/types/atelier/v1/Membership.ts";
import type { MembershipsDefinition } from "../../../proto/types/atelier/v1/Memberships.ts";
import type { TierInput } from "../../../proto/types/atelier/v1/Tier.ts";
import { authenticateMember } from "../../identity/accounts/authenticate.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import type { App } from "../../kernel/app.ts";
import type { TierDoc } from "../../kernel/definitions.ts";
import type { PageRequest } from "../../kernel/page.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { withdrawnOf } from "../catalog/find-product.ts";
import { listLicences } from "./licences.ts";
import { toLicence, toMembership } from "./resource.ts";
import type { LicenceDoc } from "./store.ts";
import { loadTiers } from "./tiers.ts";

export function membershipsHandlers(app: App): Handlers<MembershipsDefinition> {
  return {
    async Authenticate(_request, { caller }) {
      if (caller.kind !== "key") throw new AppError("missing_key");
      const { account, plan, key } = await authenticateMember(app, caller);
      return {
        account_id: account._id,
        key_id: key?.key_id ?? "",
        tier: account.membership?.tier ?? "",
        plan: plan._id,
        plan_includes_api: plan.api,
      };
    },
    async GetMembership(_request, { caller }) {
      const { account } = await authenticateMember(app, caller);
      return membershipMessage(app, account);
    },
    async ListLicences(request, { caller }) {
      const { account } = await authenticateMember(app, caller);
      return licencePage(app, account._id, request);
    },
    async ListTiers() {
      const tiers = await loadTiers(app);
      return { tiers: [...tiers.values()].map(tierMessage) };
    },
  };
}

export async function licencePage(
  app: App,
  accountId: string,
  request: PageRequest & { product_id?: string; with_withdrawn?: boolean },
): Promise<ListLicencesReplyInput> {
  const { rows, nextCursor } = await listLicences(app, accountId, request);
  return {
    licences: rows.map(licenceMessage),
    next_cursor: nextCursor,
    ...(request.with_withdrawn && {
      withdrawn_product_ids: await withdrawnOf(
        app,
        rows.map(({ product_id }) => product_id),
      ),
    }),
  };
}

export async function membershipMessage(app: App, account: AccountDoc): Promise<MembershipInput> {
  const membership = await toMembership(app, account);
  return toMessage(membershipSchema, membership, { account_id: account._id });
}

export function licenceMessage(licence: LicenceDoc): LicenceInput {
  return toMessage(licenceSchema, toLicence(licence), { account_id: licence.account_id });
}

/** A price of 0 means that it is not sold. */
export function tierMessage({
  _id,
  order: _order,
  discount_percent = 0,
  monthly_price_cents = 0,
  yearly_price_cents = 0,
  ...tier
}: TierDoc): TierInput {
  return {
    tier: _id,
    ...tier,
    discount_percent,
    ...(monthly_price_cents > 0 && { monthly_price_cents }),
    ...(yearly_price_cents > 0 && { yearly_price_cents }),
  };
}
