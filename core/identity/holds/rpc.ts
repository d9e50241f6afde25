// The part of service Credits with which other internal services charge for their own work.
import { parseRequest } from "../../../proto/resources/issues.ts";
import type { CreditHoldInput } from "../../../proto/types/atelier/v1/CreditHold.ts";
import type { CreditsDefinition } from "../../../proto/types/atelier/v1/Credits.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import type { App } from "../../kernel/app.ts";
import { given } from "../../kernel/page.ts";
import { type Call, factsOf, type Handlers } from "../../kernel/rpc.ts";
import { orAsk } from "../approvals/ask.ts";
import { createHoldQueue, type HoldRequest } from "./holds.ts";
import { captureSchema, newHoldSchema, releaseSchema } from "./rules.ts";
import type { HoldDoc } from "./store.ts";

export function holdHandlers(app: App) {
  const decide = createHoldQueue(app);
  const answer = async (call: Call, request: HoldRequest): Promise<CreditHoldInput> => {
    const { signal, untilMs } = call;
    const hold = await orAsk(app, () => decide(request, { signal, untilMs }));
    logSecurity(app.log, "credits_held", {
      ...factsOf(call),
      account_id: hold.account_id,
      entry_id: hold._id,
      count: hold.captured ?? hold.credits,
      why: hold.state,
    });
    return holdMessage(hold);
  };
  return {
    Hold: (request, call) => {
      const { expires_in, key_id, ...rest } = request;
      const wanted = parseRequest(newHoldSchema, { ...rest, ...given({ expires_in, key_id }) });
      return answer(call, { kind: "hold", service: call.service, newId: app.newId("hold"), wanted });
    },
    Capture: (request, call) => {
      const { hold: holdId, amount: credits } = parseRequest(captureSchema, request);
      return answer(call, { kind: "capture", service: call.service, holdId, credits });
    },
    Release: (request, call) => {
      const { hold: holdId } = parseRequest(releaseSchema, request);
      return answer(call, { kind: "release", service: call.service, holdId });
    },
  } satisfies Partial<Handlers<CreditsDefinition>>;
}

function holdMessage(hold: HoldDoc): CreditHoldInput {
  const { _id, account_id, credits, captured, state, memo, created_at, expires_at, ended_at } = hold;
  return {
    hold_id: _id,
    account: account_id,
    amount: credits,
    captured,
    state,
    memo: memo ?? "",
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    ended_at: ended_at?.toISOString(),
  };
}
