// The parts of mails that processes need.
import { createMailer } from "../../../runtime/mail.ts";
import { createService } from "../../../runtime/service.ts";
import { shownFields } from "../../base/documents/fields.ts";
import { isPassing } from "../../base/mongo/errors.ts";
import type { App } from "../app.ts";
import { mapPage, pageById, type PageRequest } from "../page.ts";
import type { Slice } from "../slice.ts";
import { sendDueMails } from "./send.ts";
import { countQueuedMails, deleteMails, findMailsOfAccount, MAIL_COLLECTIONS, MAIL_FIELDS } from "./store.ts";

const POLL_MS = 1_000;

export const mailSlice: Slice = {
  name: "kernel/mail",
  collections: MAIL_COLLECTIONS,
  observe: ({ metrics, mongo }) =>
    metrics.gauge("mails_queued", "Mails of the outbox that are not sent yet, counted up to 100,000.", () =>
      countQueuedMails(mongo.db),
    ),
  owned: {
    export: {
      lists: {
        mails: async (app, accountId, page) =>
          mapPage(await listMails(app, accountId, page), (one) => shownFields(one, MAIL_FIELDS)),
      },
    },
    /** Mails that were not sent yet will not be sent any more. */
    erase: { closing: (app, { accountId }, tx) => deleteMails(app.mongo.db, accountId, tx) },
  },
  runners: [{ what: "send mail", start: startSending }],
};

/** Without a mail server, mails wait for one for as long as they are relevant. */
function startSending(app: App): { stop(): Promise<void> } {
  const mailer = createMailer(app.config, app.log);
  const service = createService({ log: app.log, isOutage: isPassing });
  if (mailer)
    service.loop("send mail", async () => ((await sendDueMails(app, { mailer })) > 0 ? 0 : POLL_MS));
  service.start();
  return {
    stop: async () => {
      await service.stop();
      mailer?.close();
    },
  };
}

function listMails(app: App, accountId: string, request: PageRequest) {
  return pageById(request, (beforeId, limit) =>
    findMailsOfAccount(app.mongo.db, { accountId, beforeId }, limit),
  );
}
