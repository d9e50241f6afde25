// When a key's request needs the user's approval, and how long an approval is valid.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capStates, refuseCaps, spendAt } from "../../../../core/identity/accounts/cap-rules.ts";
import { type Identity, limitOf } from "../../../../core/identity/accounts/rules.ts";
import type { KeyDoc } from "../../../../core/identity/accounts/store.ts";
import { needsApproval, refuseUnconfirmed } from "../../../../core/identity/approvals/rules.ts";
import type { ApprovalDoc } from "../../../../core/identity/approvals/store.ts";
import { BEGIN, HOUR_MS } from "./fixtures.ts";

describe("the approval rule", () => {
  const now = new Date(BEGIN);
  const question = {
    _id: "acc_1 key_1 abc",
    account_id: "acc_1",
    key_id: "key_1",
    key_name: "agent",
    credits: 40,
    above: 20,
    jobs: [
      { modality: "image" as const, model_slug: "picture", prompt: "a pier", params: {}, callback_url: null },
    ],
  };
  const known = (change: Partial<ApprovalDoc> = {}): ApprovalDoc => ({
    ...question,
    confirmation_id: "cnf_1",
    state: "asked",
    created_at: now,
    expires_at: new Date(now.getTime() + 1),
    ...change,
  });

  test.each([
    ["no threshold", undefined, 1_000, false],
    ["a price at the threshold", 40, 40, false],
    ["a price above the threshold", 39, 40, true],
    ["any price with a threshold of 0", 0, 1, true],
    ["a free request with a threshold of 0", 0, 0, false],
  ])("compares the price with the threshold: %s", (_what, above, credits, needed) => {
    const identity = { confirm: above === undefined ? undefined : { above, keyName: "x" } };
    expect(needsApproval(identity as Identity, credits)).toBe(needed);
  });

  const REQUIRED = "confirmation_required";
  test.each<[string, ApprovalDoc | undefined, string | undefined, string | undefined]>([
    ["no request for approval", undefined, undefined, REQUIRED],
    ["no request for approval, with an approval id of the client", undefined, "cnf_1", REQUIRED],
    ["no answer yet", known(), undefined, REQUIRED],
    ["approved", known({ state: "yes" }), undefined, undefined],
    ["approved in the client", known(), "cnf_1", undefined],
    ["approved in the client for an earlier request", known(), "cnf_0", REQUIRED],
    ["declined", known({ state: "no" }), undefined, "confirmation_declined"],
    ["declined on the website", known({ state: "no" }), "cnf_1", "confirmation_declined"],
    ["already used", known({ state: "used" }), "cnf_1", REQUIRED],
    ["expired", known({ state: "yes", expires_at: now }), undefined, REQUIRED],
    ["approved at a lower price", known({ state: "yes", credits: 30 }), undefined, REQUIRED],
    ["approved at a higher price", known({ state: "yes", credits: 50 }), undefined, REQUIRED],
    ["approved in the client at another price", known({ credits: 30 }), "cnf_1", REQUIRED],
    ["declined at another price", known({ state: "no", credits: 50 }), undefined, REQUIRED],
  ])("decides by the stored approval: %s", (_what, doc, confirmedId, code) => {
    expect(refuseUnconfirmed(question, doc, { confirmedId, now })?.code).toBe(code);
  });

  test("[CNF-06] admits nothing unasked above a raised threshold or after its hour, and no cap is exceeded", () => {
    const credits = fc.integer({ min: 0, max: 60 });
    const asked = fc.record({
      credits,
      afterMs: fc.integer({ min: 0, max: HOUR_MS / 2 }),
      approved: fc.boolean(),
    });
    fc.assert(
      fc.property(
        credits,
        credits,
        fc.integer({ min: 1, max: 200 }),
        fc.array(asked),
        (own, to, day, history) => {
          const until = new Date(now.getTime() + HOUR_MS);
          const confirm_raised = { above: to, until };
          const key = {
            _id: "k",
            name: "agent",
            confirm_above: own,
            confirm_raised,
            caps: { day },
          } as KeyDoc;
          let [at, spent] = [now, limitOf(key, now).limit?.spent];
          const byDay = new Map<string, number>();
          for (const one of history) {
            at = new Date(at.getTime() + one.afterMs);
            const { limit, confirm } = limitOf(key, at);
            if (!limit || !confirm || !spent) throw new Error("the key has both");
            const wanted = { ...question, credits: one.credits, above: confirm.above };
            const doc = known({ credits: one.credits, expires_at: new Date(at.getTime() + 1), state: "yes" });
            const refusal =
              refuseCaps(one.credits, capStates(at, { ...limit, spent }), "It costs") ??
              refuseUnconfirmed(wanted, one.approved ? doc : undefined, { confirmedId: undefined, now: at });
            const allowed = one.approved || one.credits <= (at < until ? Math.max(own, to) : own);
            if (allowed && refusal) expect(refusal.code).toBe("spend_limit_reached");
            if (refusal) continue;
            expect(allowed).toBe(true);
            spent = spendAt(at, spent, one.credits);
            const name = at.toISOString().slice(0, 10);
            byDay.set(name, (byDay.get(name) ?? 0) + one.credits);
          }
          for (const sum of byDay.values()) expect(sum).toBeLessThanOrEqual(day);
        },
      ),
    );
  });

  test("reports the approved price when the price has changed", () => {
    const refusal = refuseUnconfirmed(question, known({ state: "yes", credits: 30 }), {
      confirmedId: undefined,
      now,
    });
    expect(refusal?.message).toContain("changed from 30 to 40 credits");
  });
});
