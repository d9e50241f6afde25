// Keys lose rights while many requests use them on two cores. Database responses to the second core are delayed, so a request that reused
// an earlier request's read would be admitted.
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { connectMongo } from "../../../../core/base/mongo/client.ts";
import { createRecent } from "../../../../core/base/mongo/recent.ts";
import { startCore } from "../../../../core/entry/start.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { type CoreClient, createCoreClient } from "../../../../proto/client.ts";
import { AppError } from "../../../../proto/codes.ts";
import { CLAIMS } from "../../../../runtime/config/service-names.ts";
import { loadServiceKey, signServiceToken } from "../../../../runtime/keys/service-token.ts";
import { createMetrics } from "../../../../runtime/ops/metrics.ts";
import { createCustomer } from "../../../support/app.ts";
import { startTestCore } from "../../../support/core.ts";
import { startTcpProxy, type TcpProxy } from "../../../support/tcp-proxy.ts";
import { waitFor } from "../../../support/wait-for.ts";

/** 8 with all tests; `npm test -- test/core/identity/accounts/revoked-under-load.test.ts --mode thorough` has 100. */
const ROUNDS = inject("revocations");
const CALLERS_AT_EACH = 24;
/** Requests of each core before and after the change. Those after it start together. */
const REQUESTS = 60;
/** One request in this many creates a job, because an account has a limit of waiting jobs. */
const JOB_EVERY = 25;

const PICTURE = { modality: "image", model_slug: "picture", prompt: "a pier", params_json: "{}" };

let proxy: TcpProxy;
let cores: { client: CoreClient }[];
let app: Awaited<ReturnType<typeof startTestCore>>["app"];
const closing: (() => Promise<unknown> | void)[] = [];

beforeAll(async () => {
  const first = await startTestCore();
  closing.push(first.close);
  app = first.app;
  const { hostname, port } = new URL(app.mongo.uri);
  if (hostname !== "127.0.0.1") throw new Error(`The test database is at ${hostname}.`);
  proxy = await startTcpProxy(Number(port));
  closing.push(proxy.cut);
  const late = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;
  const mongo = await connectMongo(late, app.mongo.db.databaseName);
  closing.push(() => mongo.client.close());
  const second = await startCore({
    ...app,
    mongo,
    metrics: createMetrics(),
    plans: createRecent(app.plans, 1_000),
    models: createRecent(app.models, 1_000),
  });
  closing.push(second.close);
  const key = loadServiceKey(app.config, "cli");
  const client = createCoreClient({
    address: second.address,
    serviceToken: () => signServiceToken(key, "test", CLAIMS, 60),
    operatorContext: { operator: "Grace", reason: "ticket 7" },
  });
  closing.push(() => client.close());
  cores = [{ client: first.client() }, { client }];
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

type Key = { owner: { caller: Caller }; accountId: string; keyId: string };

/** Each change that removes a right, the requests that need the right, and the code that refuses them afterwards. */
const CHANGES: Record<
  string,
  {
    change(core: CoreClient, key: Key): Promise<unknown>;
    asked: readonly (keyof typeof ASK)[];
    code: string;
    isOfPerson?: boolean;
  }
> = {
  "a revoked key": {
    change: ({ accounts }, { keyId, owner }) => accounts.RevokeKey({ key_id: keyId }, owner),
    asked: ["balance", "jobs", "estimate", "job"],
    code: "invalid_key",
  },
  "a suspended account": {
    isOfPerson: true,
    change: ({ admin }, { accountId }) => admin.SetAccountStatus({ account: accountId, status: "suspended" }),
    asked: ["balance", "jobs", "estimate", "job"],
    code: "account_suspended",
  },
  "a key with a lower spending limit": {
    change: ({ accounts }, { keyId, owner }) => accounts.ChangeKey({ key_id: keyId, max_credits: 5 }, owner),
    asked: ["estimate", "job"],
    code: "spend_limit_reached",
  },
  "a key that now needs approvals": {
    change: ({ accounts }, { keyId, owner }) =>
      accounts.ChangeKey({ key_id: keyId, confirm_above: 5 }, owner),
    asked: ["estimate", "job"],
    code: "confirmation_required",
  },
};

/** The key's requests. They reject with the code of a refusal. */
const ASK = {
  balance: ({ credits }: CoreClient, caller: Caller) => credits.GetBalance({}, { caller }),
  jobs: ({ jobs }: CoreClient, caller: Caller) => jobs.ListJobs({ limit: 1 }, { caller }),
  job: ({ jobs }: CoreClient, caller: Caller) => jobs.Generate(PICTURE, { caller }),
  estimate: async ({ jobs }: CoreClient, caller: Caller) => {
    const { needs_confirmation: asks } = await jobs.Estimate(PICTURE, { caller });
    if (asks) throw new AppError("confirmation_required");
  },
};

/** A request with its outcome: the refusal's code, "" when admitted, undefined until then. */
type Noted = { readonly core: number; readonly begunMs: number; code?: string };

async function runRound(round: number): Promise<{ name: string; noted: Noted[]; changedMs: number }> {
  const [name = "", { change, asked, code, isOfPerson = false } = raise()] =
    Object.entries(CHANGES)[round % 4] ?? [];
  const { accountId, caller } = await createCustomer(app, { plan: "studio", credits: 1_000_000 });
  const owner = { caller: { kind: "account", accountId, source: "app" } as const };
  // A signed-in person's request reads nothing before the account.
  const by = isOfPerson ? owner.caller : caller;
  const {
    keys: [key = raise()],
  } = await (cores[0] ?? raise()).client.accounts.ListKeys({}, owner);
  const noted: Noted[] = [];
  let isOver = false;

  async function ask(core: number, client: CoreClient, place: number): Promise<void> {
    const what = place % JOB_EVERY === 0 ? "job" : (asked[place % (asked.length - 1)] ?? "estimate");
    const one: Noted = { core, begunMs: performance.now() };
    noted.push(one);
    one.code = await ASK[what](client, by).then(
      () => "",
      (error: unknown) => (error instanceof AppError ? error.code : raise(error)),
    );
  }
  async function askOnAndOn(core: number, client: CoreClient): Promise<void> {
    for (let place = 0; !isOver; place++) await ask(core, client, place);
  }
  const each = (count: number, work: (core: number, client: CoreClient, place: number) => Promise<void>) =>
    cores.flatMap(({ client }, core) =>
      Array.from({ length: count }, (_, place) => work(core, client, place)),
    );
  const callers = each(CALLERS_AT_EACH, askOnAndOn);
  await waitFor("requests of each core", () =>
    cores.every((_, core) => noted.filter((one) => one.core === core && one.code === "").length >= REQUESTS),
  );
  // Responses to the second core's queries from now on are delayed and have the state before the change. The other requests reach a core
  // when the first core's are answered.
  const release = proxy.holdAnswers();
  const before = each(REQUESTS, ask);
  await Promise.all(before.slice(0, REQUESTS));
  await change((cores[0] ?? raise()).client, { owner, accountId, keyId: key.key_id });
  const changedMs = performance.now();
  const after = each(REQUESTS, ask);
  await Promise.all(after.slice(0, REQUESTS));
  release();
  await Promise.all([...before, ...after]);
  // A core that is slowed by other processes may refuse all of these for that reason.
  await waitFor("a refusal of each core", () =>
    cores.every((_, core) =>
      noted.some((one) => one.core === core && one.begunMs > changedMs && one.code === code),
    ),
  );
  isOver = true;
  await Promise.all(callers);
  return { name, noted, changedMs };
}

function raise(error: unknown = new Error("missing")): never {
  throw error;
}

describe("no request that starts after a change is admitted by data read before it", () => {
  test(
    `in ${ROUNDS} rounds under load`,
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { name, noted, changedMs } = await runRound(round);
        const { code } = CHANGES[name] ?? raise();
        const after = noted.filter(({ begunMs }) => begunMs > changedMs);
        // A core that is slowed by other processes may refuse for that reason, which admits no request.
        const refusals = [code, "service_unavailable", "deadline_exceeded"];
        const wrong = after.filter((one) => !refusals.includes(one.code ?? ""));
        expect({ name, round, wrong }).toEqual({ name, round, wrong: [] });
        for (const core of [0, 1]) {
          const letIn = noted.filter(
            (one) => one.core === core && one.begunMs < changedMs && one.code === "",
          );
          expect(letIn.length, `${name}, let in at core ${core} before`).toBeGreaterThan(REQUESTS / 2);
        }
      }
    },
    60_000 + ROUNDS * 5_000,
  );
});
