// Service holds compared with accepted jobs: hold and capture together, and accept alone, on the same database. Alternating rounds. npm run
// bench -- holds [--quick]: short rounds, as a test.
import { createHoldQueue } from "../core/identity/holds/holds.ts";
import { setServiceLimit } from "../core/identity/holds/set-limit.ts";
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { App } from "../core/kernel/app.ts";
import { compareLoads, drive } from "./support/stats.ts";
import { auditInWords } from "./support/whole-lives.ts";
import { createCustomers, onBenchApp, requestsOf } from "./support/world.ts";

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 1 : 3;
const ROUND_MS = isQuick ? 300 : 2_000;
const ACCOUNTS = 1_000;
const CALLERS = 64;
const service = "bench";

export async function run(): Promise<void> {
  await onBenchApp("holds", async (app) => {
    await setServiceLimit(app, service, 1_000_000_000);
    const next = requestsOf(await createCustomers(app, ACCOUNTS));
    const accept = createAcceptQueue(app);
    const holdAndCapture = await chargesOf(app);
    const round = (charge: (i: number) => Promise<unknown>) => () => drive(CALLERS, ROUND_MS, charge);
    await compareLoads(
      [
        ["accept", round((i) => accept(next(i)))],
        ["hold and capture", round(holdAndCapture)],
      ],
      ROUNDS,
      { unit: "per second" },
    );
    console.log(await auditInWords(app));
  });
}

async function chargesOf(app: App): Promise<(i: number) => Promise<unknown>> {
  const decide = createHoldQueue(app);
  const found = await app.mongo.db.collection<{ _id: string }>("accounts").find().toArray();
  const accounts = found.map(({ _id }) => _id);
  let made = 0;
  return async (i) => {
    const newId = app.newId("hold");
    const account = accounts[i % accounts.length] ?? "";
    const wanted = { account, amount: 3, key: `charge ${made++}`, expires_in: 900, memo: "A measurement" };
    await decide({ kind: "hold", service, newId, wanted });
    await decide({ kind: "capture", service, holdId: newId, credits: 2 });
  };
}
