// The part of the Admin service for work that needs a person: undelivered callbacks, abandoned mails, and the overview.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { pageLimitSchema, timeSchema } from "../../../proto/resources/page.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import type { DeadDeliveryInput } from "../../../proto/types/atelier/v1/DeadDelivery.ts";
import type { FailedMailInput } from "../../../proto/types/atelier/v1/FailedMail.ts";
import { attemptsOf } from "../../base/work/queue.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import { listFailedMails, sendAgain } from "../../kernel/mail/queue.ts";
import type { MailDoc } from "../../kernel/mail/store.ts";
import { given } from "../../kernel/page.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { deadEndpoints, listDead } from "../../studio/webhooks/dead.ts";
import { subjectOf } from "../../studio/webhooks/delivery-id.ts";
import type { DeliveryDoc } from "../../studio/webhooks/store.ts";
import { findStuck } from "./stuck.ts";

const sinceSchema = z.object({ since: timeSchema.optional() });
const limitSchema = z.object({ limit: pageLimitSchema.default(50) });

export function stuckHandlers(app: App) {
  return {
    ListDeadDeliveries: async ({ host, account, since: asked, ...page }) => {
      const { since } = parseRequest(sinceSchema, given({ since: asked }));
      const query = {
        host: host || undefined,
        accountId: account === "" ? undefined : (await getAnyAccount(app, account))._id,
        since: since === undefined ? undefined : new Date(since),
      };
      const { rows, nextCursor } = await listDead(app, query, page);
      return { deliveries: rows.map(deliveryMessage), next_cursor: nextCursor };
    },

    ListDeadReceivers: async () => ({ receivers: await deadEndpoints(app) }),

    ListFailedMails: async (request) => {
      const { limit } = parseRequest(limitSchema, given({ ...request }));
      return { mails: (await listFailedMails(app, limit)).map(mailMessage) };
    },

    ResendMail: ({ mail_id: id }, call) =>
      recordWrite(app, call, { target: id }, async () => mailMessage(await sendAgain(app, id))),

    ListStuck: async ({ all }) => ({ stuck: await findStuck(app, { all }) }),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

function deliveryMessage(delivery: DeliveryDoc): DeadDeliveryInput {
  const last = delivery.attempts.at(-1);
  return {
    delivery_id: delivery._id,
    account_id: delivery.account_id,
    job_id: subjectOf(delivery) ?? "",
    event: delivery.event,
    host: delivery.host,
    attempts: delivery.attempt_count,
    error: last?.error ?? "",
    last_at: last?.at.toISOString() ?? "",
  };
}

/** Without content and recipient. */
function mailMessage(mail: MailDoc): FailedMailInput {
  return {
    mail_id: mail._id,
    account_id: mail.account_id,
    kind: mail.kind,
    ref: mail.ref,
    status: mail.status,
    attempts: attemptsOf(mail),
    error: mail.last_error ?? "",
    created_at: mail.created_at.toISOString(),
  };
}
