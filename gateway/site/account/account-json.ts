// /account/api/me: what the header of a signed-in page keeps up to date.
import type { GatewayApp } from "../../gateway.ts";
import { toResult } from "../../answers/result.ts";

export function accountJson(app: GatewayApp): void {
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
}
