// Parallel random workflows, with failing steps and cancellations: every credit is accounted for.
import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import { ProviderError } from "../../../../core/adapters/providers/provider.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import { AppError } from "../../../../proto/codes.ts";
import { addTestModel, createCustomer, createTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../../../support/providers.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { run, show, startWork } from "./fixtures.ts";
import { drawnWorkflow, TAKES_PICTURES, toRequest, whatIsWrong } from "./graphs.ts";

const RUNS = inject("killedWorkflows") > 0 ? 60 : 2;

const provider = createScriptedProvider({
  safeToRepeat: false,
  stopsWhenAborted: true,
  answer: async ({ prompt }, { signal }) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    if (prompt.startsWith("bad"))
      throw new ProviderError("provider_refused", "It was to fail.", { retryable: false });
    signal.throwIfAborted();
    return [SMALL_OUTPUT];
  },
});
const testApp = sharedByTests(() => createTestApp({ provider }));
beforeAll(async () => {
  await addTestModel(testApp.app, {
    model_slug: "collage",
    max_prompt_length: 200,
    params_schema: TAKES_PICTURES,
  });
});

test("random workflows end as their steps did, and the audit is clean", { timeout: 600_000 }, async () => {
  const { app } = testApp;
  startWork(app);
  let named = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnWorkflow({ most: 8, withinMs: 200 }), { minLength: 6, maxLength: 10 }),
      async (all) => {
        const { accountId, caller } = await createCustomer(app, { plan: "studio", credits: 5_000 });
        const begun = await Promise.all(
          all.map(async (drawn) => {
            const name = `w${named++}`;
            const { workflow } = await run(app, caller, toRequest(drawn, name, "collage"));
            if (drawn.cancelledAfterMs !== null)
              setTimeout(() => {
                cancelWorkflow(app, { accountId, workflowId: workflow._id }).catch((error: unknown) => {
                  if (!(error instanceof AppError)) throw error;
                });
              }, drawn.cancelledAfterMs);
            return { drawn, name, workflow };
          }),
        );
        const ended = await Promise.all(
          begun.map(async (one) => ({
            ...one,
            now: await waitFor(
              `${one.name} to end`,
              async () => {
                const now = await show(app, one.workflow);
                return now.ended_at !== null && now;
              },
              120_000,
            ),
          })),
        );
        const asked = (prompt: string) =>
          provider.calls.filter(({ request }) => request.prompt === prompt).length;
        expect(ended.flatMap(({ drawn, name, now }) => whatIsWrong(drawn, name, now, asked))).toEqual([]);
        const charged = ended.reduce((sum, { now }) => sum + now.credits_charged, 0);
        expect(await accounts(app.mongo.db).findOne({ _id: accountId })).toMatchObject({
          balance: 5_000 - charged,
          held: 0,
          waiting: 0,
          running: 0,
        });
        expect(await auditFindings(app)).toEqual([]);
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
});
