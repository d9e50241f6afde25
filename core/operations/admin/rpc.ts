// The Admin service: decodes, records, calls the verb of the responsible slice, and encodes.
import { z } from "zod";
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { ledgerEntrySchema } from "../../../proto/resources/credits.ts";
import { modelSchema, planSchema } from "../../../proto/resources/model.ts";
import { pricedBySchema } from "../../../proto/resources/pricing.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import type { AuditTrailEntryInput } from "../../../proto/types/atelier/v1/AuditTrailEntry.ts";
import { revokeAnyKey } from "../../identity/accounts/change-key.ts";
import { createKey } from "../../identity/accounts/create-key.ts";
import { getAccount, getAnyAccount } from "../../identity/accounts/get-account.ts";
import { setPlanPrice } from "../../identity/accounts/plans.ts";
import { toPlan } from "../../identity/accounts/resource.ts";
import { decodeNewKey, decodeTime, keyMessage } from "../../identity/accounts/rpc.ts";
import { setPlan } from "../../identity/accounts/set-terms.ts";
import { listAuditTrail } from "../../identity/audit-trail/list-audit-trail.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { AuditTrailDoc } from "../../identity/audit-trail/store.ts";
import { type Grant, grantCredits } from "../../identity/credits/grant.ts";
import { openAccount } from "../../identity/credits/open-account.ts";
import { toLedgerEntry } from "../../identity/credits/rules.ts";
import { approveWelcome } from "../../identity/credits/welcome.ts";
import { setServiceLimit } from "../../identity/holds/set-limit.ts";
import { revokeOtherSessions } from "../../identity/sessions/revoke-session.ts";
import { setAccountStatus } from "../../identity/sessions/set-account-status.ts";
import type { App } from "../../kernel/app.ts";
import { type Handlers, readMessage } from "../../kernel/rpc.ts";
import { checkTokenName, revokeServiceName } from "../../kernel/services/names.ts";
import { checkJoin } from "../../shop/subscriptions/offers.ts";
import type { CancelJob } from "../../studio/jobs/cancel.ts";
import type { Accepting } from "../../studio/jobs/retry.ts";
import { addModel } from "../../studio/models/add-model.ts";
import { pauseModel, resumeModel, retireModel } from "../../studio/models/change-status.ts";
import { listAllModels } from "../../studio/models/list-models.ts";
import { priceModel } from "../../studio/models/price-model.ts";
import { toModel } from "../../studio/models/resource.ts";
import { decodeAddModel, decodeModelFilter, definitionMessage } from "../../studio/models/rpc.ts";
import { auditAccounts } from "../audit/audit-accounts.ts";
import { accountHandlers, accountMessage } from "./account-handlers.ts";
import { bulkHandlers } from "./bulk-handlers.ts";
import { consoleHandlers } from "./console-handlers.ts";
import { libraryHandlers } from "./library-handlers.ts";
import { marginHandlers } from "./margin-handlers.ts";
import { memberHandlers } from "./member-handlers.ts";
import { orderHandlers, subscriptionHandlers } from "./order-handlers.ts";
import { providerHandlers } from "./provider-handlers.ts";
import { stuckHandlers } from "./stuck-handlers.ts";
import { ticketHandlers } from "./ticket-handlers.ts";

const MAX_MEMO_LENGTH = 200;
const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

export function adminHandlers(
  app: App,
  { cancel, ...accepting }: Accepting & { cancel: CancelJob },
): Handlers<AdminDefinition> {
  return {
    ...memberHandlers(app),
    ...orderHandlers(app),
    ...subscriptionHandlers(app),
    ...accountHandlers(app, { cancel }),
    ...consoleHandlers(app),
    ...bulkHandlers(app, accepting),
    ...changeHandlers(app),
    ...creditHandlers(app),
    ...keyHandlers(app),
    ...modelHandlers(app),
    ...providerHandlers(app),
    ...marginHandlers(app),
    ...trailHandlers(app),
    ...tokenHandlers(app),
    ...libraryHandlers(app),
    ...stuckHandlers(app),
    ...ticketHandlers(app),
  };
}

/** Methods that change an account. */
function changeHandlers(app: App) {
  return {
    CreateAccount: (request, call) =>
      recordWrite(app, call, { target: request.email, detail: request.plan }, async () =>
        accountMessage(await openAccount(app, request)),
      ),

    SetPlan: ({ account, plan }, call) =>
      recordWrite(app, call, { target: account, detail: plan }, async () =>
        accountMessage(
          await setPlan(app, account, plan, (accountId, tx) =>
            checkJoin(app, { accountId, kind: "plan" }, tx),
          ),
        ),
      ),

    SetPlanPrice: ({ plan, price_cents }, call) =>
      recordWrite(app, call, { target: plan, detail: `${price_cents} a month` }, async () =>
        toMessage(planSchema, toPlan(await setPlanPrice(app, plan, price_cents))),
      ),

    SetAccountStatus: ({ account, status }, call) =>
      recordWrite(
        app,
        call,
        {
          target: account,
          detail: status,
          tell: ({ account_id, status: now }) => [
            now === "suspended" ? "account_suspended" : "account_restored",
            { account_id: account_id ?? "" },
          ],
        },
        async () => accountMessage(await setAccountStatus(app, account, status)),
      ),

    EndSessions: ({ account }, call) =>
      recordWrite(
        app,
        call,
        { target: account, tell: ({ account_id, ended }) => ["session_ended", { account_id, count: ended }] },
        async () => {
          const { _id: accountId } = await getAccount(app, account);
          return { account_id: accountId, ended: await revokeOtherSessions(app, accountId, "") };
        },
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

/** Methods that move credits of accounts. */
function creditHandlers(app: App) {
  return {
    ApproveWelcomeCredits: ({ account }, call) =>
      recordWrite(app, call, { target: account }, async () =>
        accountMessage(await approveWelcome(app, account)),
      ),

    GrantCredits: (request, call) => {
      const { account, amount, kind } = request;
      return recordWrite(
        app,
        call,
        {
          target: account,
          detail: `${kind} ${amount}`,
          tell: ({ account_id, _id }) => ["credits_granted", { account_id, entry_id: _id, count: amount }],
        },
        async () => {
          const terms = checkGrant(request);
          const { _id: accountId } = await getAccount(app, account);
          return grantCredits(app, { ...terms, accountId, amount, source: "system" });
        },
      ).then((entry) => toMessage(ledgerEntrySchema, toLedgerEntry(entry)));
    },
  } satisfies Partial<Handlers<AdminDefinition>>;
}

function keyHandlers(app: App) {
  return {
    CreateAccountKey: ({ account, key }, call) =>
      recordWrite(
        app,
        call,
        {
          target: account,
          detail: key?.scope ?? "",
          tell: ({ accountId, key }) => ["key_made", { account_id: accountId, key_id: key.key_id }],
        },
        async () => {
          const { _id: accountId } = await getAccount(app, account);
          const made = await createKey(
            app,
            accountId,
            decodeNewKey(key ?? { name: "", scope: "", caps: null }),
          );
          return { secret: made.secret, key: keyMessage(app, made.key), accountId };
        },
      ),

    RevokeAccountKey: ({ key_id }, call) =>
      recordWrite(app, call, { target: key_id, tell: () => ["key_revoked", { key_id }] }, async () =>
        keyMessage(app, await revokeAnyKey(app, key_id)),
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

const priceQuerySchema = z.object({ params: z.record(z.string(), z.unknown()) });

function modelHandlers(app: App) {
  return {
    ListAllModels: async (request) => {
      const models = await listAllModels(app, decodeModelFilter(request));
      return {
        models: toMessages(modelSchema, models.map(toModel)),
        definitions: models.map(definitionMessage),
      };
    },

    AddModel: (request, call) =>
      recordWrite(app, call, { target: request.model?.model_slug ?? "" }, async () =>
        toMessage(modelSchema, toModel(await addModel(app, decodeAddModel(request)))),
      ),

    GetModelPrice: async ({ model_slug: slug, params_json, characters }) => {
      const { params } = readMessage(priceQuerySchema, { params_json });
      const { credits, by, matching } = await priceModel(app, { slug, params, characters });
      return {
        credits,
        priced_by: toMessage(pricedBySchema, by),
        matching: matching.map((rule) => rule + 1),
      };
    },

    RetireModel: ({ model_slug }, call) =>
      recordWrite(app, call, { target: model_slug }, async () =>
        toMessage(modelSchema, toModel(await retireModel(app, model_slug))),
      ),

    PauseModel: ({ model_slug }, call) =>
      recordWrite(app, call, { target: model_slug }, async () =>
        toMessage(modelSchema, toModel(await pauseModel(app, model_slug))),
      ),

    ResumeModel: ({ model_slug }, call) =>
      recordWrite(app, call, { target: model_slug }, async () =>
        toMessage(modelSchema, toModel(await resumeModel(app, model_slug))),
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

function trailHandlers(app: App) {
  return {
    async *Audit({ account, model }) {
      yield* auditAccounts(
        { ...app, checksPaths: model },
        account === "" ? undefined : (await getAnyAccount(app, account))._id,
      );
    },

    ListAuditTrail: async (request) => {
      const { bulk_id: bulk, ...rest } = request;
      const { rows, nextCursor } = await listAuditTrail(app, { ...rest, bulk });
      return { entries: rows.map(trailMessage), next_cursor: nextCursor };
    },
  } satisfies Partial<Handlers<AdminDefinition>>;
}

function tokenHandlers(app: App) {
  return {
    RecordServiceToken: ({ name, scopes, token_id, expires_at }, call) =>
      recordWrite(
        app,
        call,
        {
          target: name,
          detail: `${token_id} until ${expires_at}: ${scopes.join(" ")}`,
          tell: () => ["token_issued", { target: name }],
        },
        async () => {
          await checkTokenName(app, name);
          return {};
        },
      ),

    SetServiceLimit: ({ name, max_credits: credits }, call) =>
      recordWrite(app, call, { target: name, detail: String(credits) }, async () => {
        const { used } = await setServiceLimit(app, name, credits);
        return { name, max_credits: credits, credits_this_month: used };
      }),

    RevokeServiceName: ({ name }, call) =>
      recordWrite(app, call, { target: name }, async () => {
        await revokeServiceName(app, name);
        return {};
      }),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

function trailMessage(entry: AuditTrailDoc): AuditTrailEntryInput {
  return {
    entry_id: entry._id,
    at: entry.at.toISOString(),
    service: entry.who,
    operator: entry.operator ?? "",
    method: entry.what,
    target: entry.target,
    detail: entry.detail,
    reason: entry.reason ?? "",
    request_id: entry.request_id,
    outcome: entry.outcome ?? "",
    result: entry.result ?? "",
    bulk_id: entry.bulk ?? "",
  };
}

type GrantRequest = { kind: string; memo: string; idempotency_key?: string; expires_at?: string };

/** Checks the text only; the verb checks the amount. Throws invalid_request. */
function checkGrant({
  kind,
  memo,
  idempotency_key,
  expires_at,
}: GrantRequest): Pick<Grant, "kind" | "memo" | "idempotencyKey" | "expiresAt"> {
  const issues = [
    ...(isGrantKind(kind) ? [] : [{ path: "kind", message: "must be grant, purchase or adjustment" }]),
    ...(memo.length <= MAX_MEMO_LENGTH
      ? []
      : [{ path: "memo", message: `must have at most ${MAX_MEMO_LENGTH} characters` }]),
    ...(idempotency_key === "" ? [{ path: "idempotency_key", message: "must not be empty" }] : []),
    ...((idempotency_key?.length ?? 0) <= MAX_IDEMPOTENCY_KEY_LENGTH
      ? []
      : [{ path: "idempotency_key", message: `must have at most ${MAX_IDEMPOTENCY_KEY_LENGTH} characters` }]),
  ];
  if (issues.length > 0 || !isGrantKind(kind)) throw new AppError("invalid_request", { issues });
  return {
    kind,
    memo: memo || null,
    ...(expires_at && { expiresAt: decodeTime(expires_at) }),
    ...(idempotency_key && { idempotencyKey: idempotency_key }),
  };
}

function isGrantKind(kind: string): kind is Grant["kind"] {
  return kind === "grant" || kind === "purchase" || kind === "adjustment";
}
