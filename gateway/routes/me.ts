// GET /api/me: the key's account, and the key's current rights.
import { fromMessage } from "../../proto/codec.ts";
import { meSchema } from "../../proto/resources/me.ts";
import { keyRates, meAnswerSchema } from "../answers/me.ts";
import { toResult } from "../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, READ } from "../http/auth.ts";
import { ME } from "../openapi/examples.ts";
import { operation, resultAnswer } from "../openapi/operation.ts";

export function meRoutes(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.get(
    "/api/me",
    operation({
      config: { access: READ, envelope: true },
      operationId: "getMe",
      summary: "Read what this key may do",
      description:
        "The account and its plan, the key that was sent with its scope, expiry and spending limit, the rates that apply, the credits available, and how many jobs wait and run.",
      tag: "Account",
      success: { 200: resultAnswer("The caller.", meAnswerSchema, ME) },
    }),
    async (request, reply) => {
      const me = fromMessage(meSchema, await core.accounts.GetMe({}, callFor(request)));
      return reply.send(toResult({ ...me, rate_limits: keyRates(config) }));
    },
  );
}
