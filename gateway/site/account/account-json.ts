// /account/api/me: what the header of a signed-in page keeps up to date, and the time zone that its script reports.
import { z } from "zod";
import { toResult } from "../../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { personCall } from "../session/current-person.ts";

const timeZone = z.strictObject({ time_zone: z.string().max(64) });

export function accountJson(app: GatewayApp, { core }: GatewayOptions): void {
  app.get("/account/api/me", async ({ person }) => {
    const { accountId, email, name, plan, csrfToken, creditsAvailable } = person;
    return toResult({
      account_id: accountId,
      email,
      name,
      plan,
      csrf_token: csrfToken,
      credits_available: creditsAvailable,
    });
  });

  app.post("/account/api/time-zone", { schema: { body: timeZone } }, async (request, reply) => {
    await core.accounts.SetTimeZone(request.body, personCall(request));
    return reply.code(204).send();
  });
}
