// GET /api/credits/balance and /api/credits/ledger: the caller's credits and every entry that led to them.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { balanceSchema, ledgerEntrySchema, LEDGER_KINDS } from "../../proto/resources/credits.ts";
import { jobIdFilterSchema } from "../../proto/resources/page.ts";
import { toList, toResult } from "../answers/result.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor, READ } from "../http/auth.ts";
import { pageQuery, queryTime } from "../http/query.ts";
import { BALANCE, LEDGER_ENTRY } from "../openapi/examples.ts";
import { operation, listAnswer, resultAnswer } from "../openapi/operation.ts";

export function creditRoutes(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/credits/balance",
    operation({
      config: { access: READ, envelope: true },
      operationId: "getBalance",
      summary: "Read the balance",
      description: "Credits owned, held for waiting jobs, and available.",
      tag: "Credits",
      success: { 200: resultAnswer("The balance.", balanceSchema, BALANCE) },
    }),
    async (request, reply) =>
      reply.send(toResult(fromMessage(balanceSchema, await core.credits.GetBalance({}, callFor(request))))),
  );

  app.get(
    "/api/credits/ledger",
    operation({
      config: { access: READ, envelope: true },
      querystring: z.object({
        ...pageQuery,
        kind: z.enum(LEDGER_KINDS).optional().describe("Only entries of this kind."),
        job_id: jobIdFilterSchema.optional().describe("Only entries of this job."),
        since: queryTime.optional().meta({ description: "Only entries made then or later." }),
        until: queryTime.optional().meta({ description: "Only entries made before." }),
      }),
      operationId: "listLedger",
      summary: "Read the ledger, newest first",
      description:
        "Every change of the balance and of what is held, refunds included. Each entry carries the hash of the one before it, so that nothing can be changed or left out unseen.",
      tag: "Credits",
      success: { 200: listAnswer("A page of entries.", ledgerEntrySchema, LEDGER_ENTRY) },
    }),
    async (request, reply) => {
      const { limit, cursor = "", kind = "", job_id = "", since = "", until = "" } = request.query;
      const page = await core.credits.ListLedger(
        { limit, cursor, kind, job_id, since, until },
        callFor(request),
      );
      return reply.send(toList(fromMessages(ledgerEntrySchema, page.entries), page.next_cursor));
    },
  );
}
