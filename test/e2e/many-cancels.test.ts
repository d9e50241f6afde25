// Parallel cancels of many jobs, several for each, over REST and MCP, through two gateways and two cores: no 5xx.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { quantile } from "../../bench/support/stats.ts";
import { plans } from "../../core/identity/accounts/store.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import type { JobResource } from "../../proto/resources/job.ts";
import { createCustomer } from "../support/app.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

/** 40 with all tests; with `--mode thorough` 300. */
const JOBS = inject("cancelledJobs");
const CANCELS = Math.ceil((JOBS * 10) / 3);
/** Half of the jobs belong to one account, the others to these. */
const OTHER_ACCOUNTS = 5;
/** This many jobs run when they are cancelled; the others wait. */
const RUNNING = JOBS / 5;
const OTHER_CALLERS = 2;
const QUICK = "made at once";

/** Only the other customer's jobs end without a cancel. */
const provider = createScriptedProvider({
  stopsWhenAborted: true,
  answer: ({ prompt }) => (prompt === QUICK ? Promise.resolve([SMALL_OUTPUT]) : new Promise(() => {})),
});

let services: WholeService[];
beforeAll(async () => {
  const options = {
    provider,
    worker: false,
    // Separate ones, so that neither is returned while the other is in use.
    mongodbUri: inject("mongodUri"),
    env: {
      ATELIER_MONGO_DATABASE: `test_${randomBytes(6).toString("hex")}`,
      ATELIER_WORKER_CONCURRENCY: String(RUNNING + OTHER_CALLERS),
    },
  };
  const first = await startWholeService(options);
  await plans(first.app.mongo.db).updateOne({ _id: "studio" }, { $set: { concurrency: 1_000 } });
  services = [first, await startWholeService(options)];
});
afterAll(async () => {
  for (const service of services) await service.close();
});

type Owned = { readonly key: string; readonly jobId: string };

async function makeJobs(service: WholeService): Promise<Owned[]> {
  const owners = await Promise.all(
    Array.from({ length: 1 + OTHER_ACCOUNTS }, () =>
      createCustomer(service.app, { plan: "studio", credits: 100_000 }),
    ),
  );
  const keyOf = (i: number) => owners[i % 2 === 0 ? 0 : 1 + ((i >> 1) % OTHER_ACCOUNTS)]?.key ?? "";
  return Promise.all(
    Array.from({ length: JOBS }, async (_, i) => {
      const { body } = await service.generate(keyOf(i));
      return { key: keyOf(i), jobId: body.result.job_id };
    }),
  );
}

/** Another customer generates jobs in sequence while `meanwhile` runs, and at least `least` of them. */
async function generateBeside<T>(
  key: string,
  least: number,
  meanwhile: Promise<T>,
): Promise<{ done: T; took: number[] }> {
  const took: number[] = [];
  let isOver = false;
  const over = meanwhile.finally(() => (isOver = true));
  const caller = async () => {
    while (!isOver || took.length < least) {
      const began = performance.now();
      const generate = () => (services as [WholeService])[0].generate(key, { prompt: QUICK });
      expect(await patiently(async () => String((await generate()).status))).toBe("202");
      took.push(performance.now() - began);
    }
  };
  const [done] = await Promise.all([over, ...Array.from({ length: OTHER_CALLERS }, caller)]);
  return { done, took };
}

async function cancelByRest(service: WholeService, { key, jobId }: Owned): Promise<string> {
  const { status, body } = await service.call<{ code?: string; result?: JobResource }>(
    `/api/jobs/${jobId}/cancel`,
    { key, method: "POST" },
  );
  return `${status} ${body.code ?? body.result?.state}`;
}

async function cancelByTool(service: WholeService, { key, jobId }: Owned): Promise<string> {
  const { structuredContent: job } = await service.tool(key, "cancel_job", { job_id: jobId });
  return `tool ${String(job?.["state"] ?? job?.["code"])}`;
}

/** Work other than cancels may be refused by an overloaded service: it is tried three times at most. */
async function patiently(ask: () => Promise<string>): Promise<string> {
  let answer = await ask();
  for (let tries = inject("isThorough") ? 3 : 1; tries < 3 && /^503|^tool undefined$/.test(answer); tries++)
    answer = await ask();
  return answer;
}

const figures = (took: readonly number[]) =>
  `p50 ${quantile(took, 0.5).toFixed(0)} ms, p95 ${quantile(took, 0.95).toFixed(0)} ms of ${took.length}`;

test(
  `[JOB-37] ${CANCELS} parallel cancels of ${JOBS} jobs cause no 5xx, and cancel each job once`,
  { timeout: 300_000 },
  async () => {
    const [first] = services as [WholeService];
    const made = await makeJobs(first);
    const ids = made.map(({ jobId }) => jobId);
    first.startWorker();
    await waitFor("some of them to run", async () => {
      const running = await jobs(first.app.mongo.db).countDocuments({ _id: { $in: ids }, state: "running" });
      return running >= RUNNING;
    });
    const other = await createCustomer(first.app, { plan: "studio", credits: 100_000 });
    const before = await generateBeside(other.key, 100, Promise.resolve());

    const began = performance.now();
    const { done: answers, took } = await generateBeside(
      other.key,
      0,
      Promise.all(
        Array.from({ length: CANCELS }, async (_, i) => {
          // Each account's and each job's cancels go to both cores.
          const service = services[((i >> 1) + Math.floor(i / JOBS)) % services.length] as WholeService;
          const own = made[i % JOBS] as Owned;
          return i % 10 === 0 ? patiently(() => cancelByTool(service, own)) : cancelByRest(service, own);
        }),
      ),
    );
    const counts = Object.fromEntries(
      [...Map.groupBy(answers, (answer) => answer)].map(([answer, all]) => [answer, all.length]),
    );
    console.log(
      `${CANCELS} cancels in ${((performance.now() - began) / 1000).toFixed(1)} s: ${JSON.stringify(counts)}; ` +
        `another customer before: ${figures(before.took)}; during: ${figures(took)}`,
    );
    expect(Object.keys(counts).filter((answer) => !/^(20[02]|tool) cancel(led|ling)$/.test(answer))).toEqual(
      [],
    );

    await waitFor("all of them to be cancelled", async () => {
      const left = await jobs(first.app.mongo.db).countDocuments({
        _id: { $in: ids },
        state: { $ne: "cancelled" },
      });
      return left === 0;
    });
    const ended = await jobs(first.app.mongo.db)
      .find({ _id: { $in: ids } })
      .toArray();
    const ends = ended.map(({ events }) =>
      events
        .map(({ type }) => type)
        .slice(1)
        .join(" "),
    );
    expect(new Set(ends)).toEqual(
      new Set(["released cancelled", "debited running cancelling refunded cancelled"]),
    );
    expect(await first.audit()).toEqual([]);
    expect(services.flatMap(({ errors }) => errors)).toEqual([]);
  },
);
