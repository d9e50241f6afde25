// The part of the Admin service for members: memberships, licences and member keys.
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import { revokeMemberKey } from "../../identity/accounts/change-key.ts";
import { provisionMemberKey } from "../../identity/accounts/create-key.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import { listMemberKeys } from "../../identity/accounts/list-keys.ts";
import { decodeTime, keyMessage } from "../../identity/accounts/rpc.ts";
import type { TermsCheck } from "../../identity/accounts/set-terms.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { setMembership, stopMembership } from "../../shop/memberships/change-membership.ts";
import { grantLicence, revokeLicence } from "../../shop/memberships/licences.ts";
import { licenceMessage, licencePage, membershipMessage, tierMessage } from "../../shop/memberships/rpc.ts";
import { setTierTerms } from "../../shop/memberships/tiers.ts";
import { checkJoin } from "../../shop/subscriptions/offers.ts";

export function memberHandlers(app: App) {
  // A paid membership is changed by its payer, or ended by a refund.
  const unpaid: TermsCheck = (accountId, tx) => checkJoin(app, { accountId, kind: "membership" }, tx);
  return {
    ...memberKeyHandlers(app),

    SetMembership: ({ account, tier, until }, call) =>
      recordWrite(app, call, { target: account, detail: `${tier} until ${until}` }, async () =>
        membershipMessage(app, await setMembership(app, account, { tier, until: decodeTime(until) }, unpaid)),
      ),

    SetTierPrices: ({ tier, ...terms }, call) => {
      const { monthly_price_cents: monthlyCents, yearly_price_cents: yearlyCents } = terms;
      const { discount_percent: discountPercent } = terms;
      const off = discountPercent === undefined ? "" : `, ${discountPercent}% off products`;
      const detail = `${monthlyCents} a month, ${yearlyCents} a year${off}`;
      return recordWrite(app, call, { target: tier, detail }, async () =>
        tierMessage(await setTierTerms(app, tier, { monthlyCents, yearlyCents, discountPercent })),
      );
    },

    EndMembership: ({ account }, call) =>
      recordWrite(app, call, { target: account }, async () =>
        membershipMessage(app, await stopMembership(app, account, unpaid)),
      ),

    GetAccountMembership: async ({ account }) => membershipMessage(app, await getAccount(app, account)),

    GrantLicence: ({ account, product_slug, kind, source }, call) =>
      recordWrite(app, call, { target: account, detail: `${product_slug} ${kind} ${source}` }, async () =>
        licenceMessage(await grantLicence(app, account, { productSlug: product_slug, kind, source })),
      ),

    RevokeLicence: ({ licence_id }, call) =>
      recordWrite(app, call, { target: licence_id }, async () =>
        licenceMessage(await revokeLicence(app, licence_id)),
      ),

    ListAccountLicences: async (request) => {
      const { _id: accountId } = await getAccount(app, request.account);
      return licencePage(app, accountId, request);
    },
  } satisfies Partial<Handlers<AdminDefinition>>;
}

function memberKeyHandlers(app: App) {
  return {
    ProvisionMemberKey: ({ account, name, expires_at, max_credits, confirm_above }, call) =>
      recordWrite(
        app,
        call,
        {
          target: account,
          detail: name,
          tell: ({ accountId, key }) => ["key_made", { account_id: accountId, key_id: key.key_id }],
        },
        async () => {
          const { _id: accountId } = await getAccount(app, account);
          const expiresAt = expires_at ? decodeTime(expires_at) : null;
          const { secret, key } = await provisionMemberKey(app, accountId, {
            name,
            expiresAt,
            maxCredits: max_credits,
            confirmAbove: confirm_above,
          });
          return { secret, key: keyMessage(app, key), accountId };
        },
      ),

    ListMemberKeys: async ({ account }) => {
      const { _id: accountId } = await getAccount(app, account);
      return { keys: (await listMemberKeys(app, accountId)).map((key) => keyMessage(app, key)) };
    },

    RevokeMemberKey: ({ key_id }, call) =>
      recordWrite(app, call, { target: key_id, tell: () => ["key_revoked", { key_id }] }, async () =>
        keyMessage(app, await revokeMemberKey(app, key_id)),
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}
