import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { authenticate } from "../../core/identity/accounts/authenticate.ts";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { getAccount } from "../../core/identity/accounts/get-account.ts";
import { accounts } from "../../core/identity/accounts/store.ts";
import { openAccount } from "../../core/identity/credits/open-account.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { createCoreClient } from "../../proto/client.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { trustedKey } from "../../runtime/keys/service-token.ts";
import { acceptOne, cancelJob } from "../support/accept.ts";
import { createCustomer } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { refusalOf } from "../support/refusal.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { runCliHere, runCliProcess, useCli } from "./run-cli.ts";

const inFolder = useFolder();
const { core, run, json } = useCli();

const NEW_MODEL = {
  model_slug: "new-model",
  name: "New model",
  modality: "image",
  description: "For tests.",
  credits: 1,
  per: "generation",
  estimated_seconds: 1,
  max_prompt_length: 100,
  params_schema: { type: "object", properties: {}, additionalProperties: false },
  provider: "test",
  provider_model: "x",
  run_timeout_seconds: 60,
};

const words = (line: string) => line.split(" ");

type Page<Name extends string> = Record<Name, Record<string, unknown>[]> & { next_cursor: string };

/** Writes a model file with this content. Returns its path. */
function fileOf(content: unknown): string {
  const path = inFolder("model.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

test("[SIGN-08] session end revokes all sessions of an account from the next request on, and prints their number", async () => {
  const email = "signed-in@example.com";
  const browsers: { account_id: string; session_id: string }[] = [];
  const { sessions } = core.client();
  for (const token_sha256 of ["a".repeat(64), "b".repeat(64)]) {
    await sessions.CreateLink({ email, token_sha256 });
    const { session } = await sessions.SignIn({ token_sha256, user_agent: "x" });
    if (session) browsers.push(session);
  }
  expect(await json("session", "end", email)).toEqual({ account_id: browsers[0]?.account_id, ended: 2 });
  for (const { account_id, session_id } of browsers)
    expect(await refusalOf(sessions.CheckSession({ account_id, session_id }))).toMatchObject({
      code: "not_signed_in",
    });
  expect((await run("session", "end", email)).stdout).toMatch(/^0 sessions of acc_\w+ ended\n$/);
  expect((await run("session", "end", "nobody@example.com")).exitCode).toBe(1);
  expect(await json("audit-trail", "--target", email)).toMatchObject({
    entries: [{ method: "EndSessions", operator: "tester", reason: "a test" }, { method: "EndSessions" }],
  });
});

describe("accounts, plans, credits and keys", () => {
  test("are managed from creation to the revoked key", async () => {
    const { app } = core;
    const account = await json("account", "create", "Ada@Example.com", "--name", "Ada Lovelace");
    expect(account).toMatchObject({
      email: "ada@example.com",
      name: "Ada Lovelace",
      plan: "free",
      status: "active",
      credits: { available: 50, grants: [{ kind: "monthly", left: 50 }] },
    });
    expect(await json("plan", "set", "ada@example.com", "pro")).toMatchObject({ plan: "pro" });
    const grant = words("credits grant ada@example.com 500 --memo welcome --idempotency-key first");
    const entry = await json(...grant);
    expect(entry).toMatchObject({
      kind: "grant",
      amount: 500,
      balance_after: 550,
      memo: "welcome",
      source: "system",
    });
    expect(await json(...grant)).toEqual(entry);
    expect(await json("credits", "grant", "ada@example.com", "-120", "--kind", "adjustment")).toMatchObject({
      kind: "adjustment",
      amount: -120,
      balance_after: 430,
    });
    expect(await json("account", "show", "ada@example.com")).toMatchObject({
      credits: { balance: 430, available: 430 },
    });
    const soon = ["credits", "grant", "ada@example.com", "5", "--expires", "2999-01-31"];
    const { entry_id } = (await json(...soon)) as { entry_id: string };
    expect(await json("account", "show", "ada@example.com")).toMatchObject({
      credits: {
        grants: [{ left: 50 }, { grant_id: entry_id, left: 5, expires_at: "2999-01-31T00:00:00.000Z" }],
      },
    });

    const made = (await json(
      ...words("key create ada@example.com --name ci --scope write --expires 2999-01-31"),
    )) as {
      secret: string;
      key: { key_id: string; expires_at: string };
    };
    expect(made.key).toMatchObject({ name: "ci", scope: "write", expires_at: "2999-01-31T00:00:00.000Z" });
    const caller = { kind: "key", keySha256: hashApiKey(made.secret), source: "api" } as const;
    await authenticate(app, caller, "write");
    expect(await json("key", "revoke", made.key.key_id)).toMatchObject({ revoked_at: expect.any(String) });
    expect(await refusalOf(authenticate(app, caller, "write"))).toMatchObject({ code: "invalid_key" });
  });

  test("are printed in aligned columns, and a new key with a notice where to keep it", async () => {
    const { accountId } = await createCustomer(core.app, { credits: 1_234 });
    const shown = await run("account", "show", accountId);
    expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
    expect(shown.stdout).toMatch(
      /^account  acc_.+\ne-mail   customer-.+\nname     Customer\nplan     pro\nstatus   active\ncredits  1,234 available \(balance 1,234, held 0\)\ncreated  .+Z\n$/,
    );
    const key = await run("key", "create", accountId, "--name", "x", "--scope", "read");
    expect(key.stdout).toMatch(/^key +atl_gen_\w{36}\n.*not shown again/s);
    const plans = await run("plan", "list");
    expect(plans.stdout).toBe(
      [
        "PLAN     NAME     JOBS AT A TIME  API  CREDITS A MONTH  PRICE A MONTH",
        "free     Free     1               no   50               $0.00",
        "starter  Starter  2               no   500              $9.00",
        "pro      Pro      5               yes  2,000            $29.00",
        "studio   Studio   20              yes  10,000           $99.00",
        "",
      ].join("\n"),
    );
  });

  test("suspend and restore an account", async () => {
    const { accountId } = await createCustomer(core.app);
    expect(await json("account", "suspend", accountId)).toMatchObject({ status: "suspended" });
    expect(await getAccount(core.app, accountId)).toMatchObject({ status: "suspended" });
    expect(await json("account", "restore", accountId)).toMatchObject({ status: "active" });
  });
});

describe("models", () => {
  const model = {
    model_slug: "from-a-file",
    name: "From a file",
    modality: "image",
    description: "Described in a file.",
    credits: 7,
    per: "image",
    estimated_seconds: 2.5,
    max_prompt_length: 800,
    params_schema: {
      type: "object",
      properties: { count: { type: "integer", minimum: 1, maximum: 4, default: 1 } },
      additionalProperties: false,
    },
    provider: "test",
    provider_model: "x",
    run_timeout_seconds: 60,
  };
  test("[MOD-03] are added from a file, paused, resumed, listed and retired, each with an audit record", async () => {
    expect(await json("model", "add", fileOf(model))).toMatchObject({
      model_slug: "from-a-file",
      status: "live",
      credits: 7,
    });
    expect(await json("model", "pause", "from-a-file")).toMatchObject({ status: "paused" });
    expect(await json("model", "resume", "from-a-file")).toMatchObject({ status: "live" });
    expect(await json("model", "retire", "from-a-file")).toMatchObject({ status: "retired" });
    const { entries } = (await json("audit-trail", "--target", "from-a-file")) as {
      entries: { method: string }[];
    };
    expect(entries.map(({ method }) => method)).toEqual([
      "RetireModel",
      "ResumeModel",
      "PauseModel",
      "AddModel",
    ]);
    const listed = await run("model", "list", "--modality", "image");
    expect(listed.stdout).toMatch(/^MODEL +NAME +MODALITY +PRICE +STATUS +PROVIDER\n/);
    expect(listed.stdout).toMatch(/^from-a-file +From a file +image +7 credits per image +retired +test$/m);
    expect(listed.stdout).not.toMatch(/\baudio\b/);
  });

  test.each([
    ["cannot be read", undefined, /nowhere\.json cannot be read/],
    ["is not JSON", "{ not json", /is not valid JSON/],
    [
      "has fields missing, unknown and of the wrong type",
      { ...model, credits: "7", name: undefined, colour: 1 },
      /name: .*credits: .*colour/,
    ],
  ])("are not added from a file that %s", async (_what, content, message) => {
    const path = content === undefined ? inFolder("nowhere.json") : fileOf(content);
    const { exitCode, stdout, stderr } = await run("model", "add", path);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    // The order of the reported fields does not matter.
    for (const part of message.source.split(".*")) expect(stderr).toMatch(new RegExp(part));
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  test("are not added with values that core refuses, and the error names each of them", async () => {
    const { exitCode, stderr } = await run(
      "model",
      "add",
      fileOf({ ...model, credits: -1, model_slug: "No Slug" }),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: model_slug .*; credits .*\n$/);
  });
});

test("[GATE-08] providers are listed, limited, paused and resumed, each with an audit record of the new value", async () => {
  expect(await json("provider", "set", "test", "--max-calls", "7", "--per-minute", "60")).toMatchObject({
    provider: "test",
    configured: true,
    paused: false,
    max_calls: 7,
    max_calls_per_minute: 60,
    calls: 0,
  });
  expect(await json("provider", "pause", "test")).toMatchObject({ paused: true });
  const listed = await run("provider", "list");
  expect(listed.stdout).toMatch(
    /^PROVIDER +STATUS +CALLS +LAST MINUTE +JOBS WAITING\ntest +paused +0 of 7 +0 of 60 +0$/m,
  );
  expect(await json("provider", "resume", "test")).toMatchObject({ paused: false });
  expect(await json("provider", "set", "test", "--max-calls", "0", "--per-minute", "0")).toMatchObject({
    max_calls: null,
    max_calls_per_minute: null,
    calls: null,
  });
  const { entries } = (await json("audit-trail", "--target", "test")) as {
    entries: { method: string; detail: string }[];
  };
  expect(entries.map(({ method, detail }) => [method, detail])).toEqual([
    ["SetProviderLimits", "max_calls none, max_calls_per_minute none"],
    ["ResumeProvider", ""],
    ["PauseProvider", ""],
    ["SetProviderLimits", "max_calls 7, max_calls_per_minute 60"],
  ]);
  expect((await run("provider", "set", "test")).exitCode).toBe(2);
  const unknown = await run("provider", "pause", "nobody");
  expect(unknown).toMatchObject({ exitCode: 1 });
  expect(unknown.stderr).toContain('There is no provider "nobody"');
});

describe("the audit", () => {
  test("prints what it counted and exits with 0 when there are no findings", async () => {
    const { accountId } = await createCustomer(core.app, { credits: 10 });
    const one = await run("audit", "--account", accountId);
    expect(one).toEqual({
      exitCode: 0,
      stdout:
        "checked 1 account, 1 ledger entry, 0 jobs: all is right\ncredits: accounts 10, grants -10; they add up to 0\n",
      stderr: "",
    });
    expect(await json("audit")).toMatchObject({
      ok: true,
      accounts: await accounts(core.app.mongo.db).countDocuments(),
      findings: [],
    });
  });

  test("[LED-09] exits with 1 and prints the first finding", async () => {
    const { accountId } = await createCustomer(core.app, { credits: 10 });
    await accounts(core.app.mongo.db).updateOne({ _id: accountId }, { $inc: { held: 3 } });
    try {
      const { exitCode, stdout, stderr } = await run("audit");
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^checked \d+ accounts, \d+ ledger entries, 0 jobs\ncredits: accounts /);
      expect(stderr).toMatch(
        new RegExp(`^error: ${accountId} account: held is stored as 3, recounted as 0\n`),
      );
      const machine = await run("audit", "--json");
      expect(machine).toMatchObject({ exitCode: 1, stderr: "" });
      expect(JSON.parse(machine.stdout)).toMatchObject({
        ok: false,
        findings: [{ account_id: accountId }, { account_id: accountId }],
      });
    } finally {
      await accounts(core.app.mongo.db).updateOne({ _id: accountId }, { $inc: { held: -3 } });
    }
  });

  test("compares the order of a job's events with the model of the protocol only with --model", async () => {
    const { accountId, caller } = await createCustomer(core.app);
    const { _id } = await acceptOne(core.app, caller);
    await cancelJob(core.app, accountId, _id);
    const order = (first: string, second: string) =>
      jobs(core.app.mongo.db).updateOne(
        { _id },
        { $set: { "events.0.type": first, "events.1.type": second } as object },
      );
    await order("released", "reserved");
    try {
      expect(await run("audit", "--account", accountId)).toMatchObject({ exitCode: 0 });
      expect(await run("audit", "--account", accountId, "--model")).toMatchObject({
        exitCode: 1,
        stderr: `error: ${accountId} job ${_id} (cancelled): its event 1, released, may not follow start\n`,
      });
    } finally {
      await order("reserved", "released");
    }
  });

  test("refuses an unknown account", async () => {
    expect(await run("audit", "--account", "acc_unknown")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: No account/),
    });
  });
});

test("[AUTH-12] service tokens let a service call what their scopes allow and nothing else, until its name is revoked", async () => {
  const issued = (await json(...words("service-token issue search --scope Models,Credits --days 30"))) as {
    token: string;
    expires_at: string;
  };
  expect(issued).toMatchObject({ name: "search", scope: ["Models", "Credits"] });
  expect((Date.parse(issued.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 2);
  const client = createCoreClient({ address: core.address, serviceToken: async () => issued.token });
  try {
    await client.models.ListPlans({});
    await expect(client.admin.GetAccount({ account: "x" })).rejects.toMatchObject({ cause: { code: 7 } });
    expect(await json("service-token", "revoke", "search")).toEqual({ name: "search", revoked: true });
    const refused = () =>
      client.models.ListPlans({}).then(
        () => false,
        () => true,
      );
    await waitFor("the token to be refused", refused);
    await expect(client.models.ListPlans({})).rejects.toMatchObject({ cause: { code: 16 } });
  } finally {
    client.close();
  }
});

describe("[RPC-07] commands that read accounts", () => {
  test("list accounts in pages, keys, jobs and ledger, and show and cancel a job", async () => {
    const { accountId, caller } = await createCustomer(core.app, { credits: 1_000 });
    const client = core.client();
    const { job_id } = await client.jobs.Generate(
      { modality: "image", model_slug: "picture", prompt: "a\u001b[31mred\nboat" },
      { caller },
    );

    const first = (await json("account", "list", "--limit", "1")) as Page<"accounts">;
    expect(first.accounts).toMatchObject([{ account_id: accountId, credits: { available: 990 } }]);
    const rest = (await json("account", "list", "--cursor", first.next_cursor)) as Page<"accounts">;
    expect(rest.accounts.map(({ account_id }) => account_id)).not.toContain(accountId);
    expect((await run("account", "list", "--limit", "1")).stdout).toContain(`--cursor ${first.next_cursor}`);

    expect(await json("key", "list", accountId)).toMatchObject({ keys: [{ name: "test", scope: "write" }] });
    expect((await run("key", "list", accountId)).stdout).toMatch(/atl_gen_….*never ends/s);

    expect(await json("job", "list", accountId)).toMatchObject({ jobs: [{ job_id, state: "reserved" }] });
    expect(await json("job", "list", accountId, "--state", "failed")).toEqual({ jobs: [], next_cursor: "" });
    const shown = await run("job", "show", job_id);
    // Control characters in the owner's text are escaped.
    expect(shown.stdout).not.toContain("\u001b");
    expect(shown.stdout).toContain("#1");
    expect(await json("job", "cancel", job_id)).toMatchObject({ job_id, state: "cancelled" });
    expect(await json("audit-trail", "--target", job_id)).toMatchObject({
      entries: [{ method: "CancelAnyJob", outcome: "done" }],
    });

    const { entries } = (await json("ledger", accountId)) as Page<"entries">;
    expect(entries.map(({ kind }) => kind)).toEqual(["release", "reserve", "grant"]);
    expect(await json("ledger", accountId, "--kind", "grant", "--limit", "5")).toMatchObject({
      entries: [{ kind: "grant", amount: 1_000 }],
    });
    expect((await run("ledger", accountId, "--job", job_id)).stdout).toMatch(
      /^SEQ.*\n3 .*release.*\n2 .*reserve/,
    );
  });

  test.each([
    [["job", "show", "job_unknown"], "No account has a job with this id."],
    [["job", "cancel", "job_unknown"], "No account has a job with this id."],
    [["job", "list", "nobody@example.com"], "No account has this id or e-mail address."],
    [["key", "list", "nobody@example.com"], "No account has this id or e-mail address."],
    [["ledger", "nobody@example.com"], "No account has this id or e-mail address."],
    [["account", "list", "--limit", "101"], "limit must be at most 100"],
  ])("%j is refused in one line", async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^error: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });
});

describe("[RPC-07] model list --json", () => {
  test("prints what model add accepts: adding it again changes nothing, for paused and retired models too", async () => {
    await json(
      "model",
      "add",
      fileOf({ ...NEW_MODEL, model_slug: "given-back", provider_options: { seed: 1 } }),
    );
    await json("model", "retire", "given-back");
    await json("model", "add", fileOf({ ...NEW_MODEL, model_slug: "given-back-paused", status: "paused" }));
    const listed = (await json("model", "list")) as { model_slug: string; status: string }[];
    expect(listed.find(({ model_slug }) => model_slug === "given-back")).toMatchObject({
      status: "retired",
      provider_options: { seed: 1 },
    });
    expect(await json("model", "add", fileOf(listed))).toHaveLength(listed.length);
    expect(await json("model", "list")).toEqual(listed);
    // Each alone fails too.
    const [one] = listed;
    expect(await json("model", "add", fileOf(one))).toMatchObject({ model_slug: one?.model_slug });
    expect(await json("model", "list")).toEqual(listed);
  });

  test("model add names the place of an error in the list", async () => {
    const { exitCode, stderr } = await run(
      "model",
      "add",
      fileOf([NEW_MODEL, { ...NEW_MODEL, credits: "1" }]),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("1.credits: ");
  });
});

describe("[RPC-07] service-token", () => {
  test("issue writes an audit record, and refuses a revoked name in one line", async () => {
    const rights = ["--scope", "Credits", "--act-as", "--days", "1"];
    const issued = (await json("service-token", "issue", "ledger-reader", ...rights)) as { token_id: string };
    expect(issued).toMatchObject({ scope: ["Credits", "act-as"] });
    expect(await json("audit-trail", "--target", "ledger-reader")).toMatchObject({
      entries: [{ method: "RecordServiceToken", detail: expect.stringContaining(issued.token_id) }],
    });
    await json("service-token", "revoke", "ledger-reader");
    const { exitCode, stdout, stderr } = await run("service-token", "issue", "ledger-reader", ...rights);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toBe(
      "error: name ledger-reader is revoked, so core would refuse the token; a service that comes back needs another name\n",
    );
  });

  test("key creates a pair whose public key core can be configured to trust", async () => {
    const made = (await json("service-token", "key", "gateway")) as {
      private_key: string;
      trusted_key: object;
    };
    const config = loadConfig({
      ATELIER_SERVICE_KEY: made.private_key,
      ATELIER_SERVICE_TRUSTED_KEYS: JSON.stringify({ keys: [made.trusted_key] }),
    });
    const [trusted] = config.serviceTrustedKeys;
    expect(trusted).toMatchObject({ name: "gateway", jwk: trustedKey(made.private_key, "gateway").jwk });
    expect(await json("service-token", "key", "billing", "--scope", "Credits")).toMatchObject({
      trusted_key: { name: "billing", scopes: ["Credits"] },
    });
    expect((await run("service-token", "key", "billing")).stderr).toContain("--scope is needed");
  });
});

test("welcome credits that are on hold are approved by an operator, with an audit record", async () => {
  const wanted = { email: "held@example.com", name: "Held", plan: "free" };
  await openAccount(core.app, wanted, { hold: true });
  expect(await json("account", "show", "held@example.com")).toMatchObject({
    welcome_credits: "held",
    credits: { available: 0 },
  });
  expect(await json("credits", "approve", "held@example.com")).toMatchObject({
    welcome_credits: "",
    credits: { available: 50 },
  });
  const { exitCode, stderr } = await run("credits", "approve", "held@example.com");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("account has no welcome credits on hold");
  const trail = await core.app.mongo.db
    .collection("admin_log")
    .find({ what: "ApproveWelcomeCredits", target: "held@example.com" })
    .sort({ _id: 1 })
    .toArray();
  expect(trail).toMatchObject([{ outcome: "done" }, { outcome: "invalid_request" }]);
});

describe("a command that fails", () => {
  beforeAll(() => createAccount(core.app, { email: "free@example.com", name: "Free", plan: "free" }));

  test.each([
    ["plan set nobody@example.com gold", "plan must be one of free, starter, pro, studio"],
    ["account show nobody@example.com", "No account has this id or e-mail address."],
    ["key create free@example.com --name x --scope read", "does not include the generation API"],
    ["service-token revoke gateway", "name must be the name of an issued service token"],
  ])("prints one line and exits with 1: %s", async (command, message) => {
    const { exitCode, stdout, stderr } = await run(...command.split(" "));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .*\n$/);
    expect(stderr).toContain(message);
  });

  test("prints the error code with --json", async () => {
    const { exitCode, stdout, stderr } = await run(
      ...words("account create bad --name x --plan gold --json"),
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "invalid_request", issues: [{ path: "email" }, { path: "plan" }] },
    });
  });

  test.each([
    ["no command", []],
    ["a group without its command", ["account"]],
    ["an unknown command", ["account", "delete", "x"]],
    ["an unknown option", ["audit", "--fast"]],
    ["a missing argument", ["account", "show"]],
    ["a missing option", ["account", "create", "a@example.com"]],
    ["too many arguments", ["plan", "list", "extra"]],
    ["half a credit", ["credits", "grant", "a@example.com", "0.5"]],
    ["an unknown kind", ["credits", "grant", "a@example.com", "5", "--kind", "refund"]],
    ["an unknown scope", ["service-token", "issue", "x", "--scope", "Everything", "--days", "1"]],
    ["a token without an expiry", ["service-token", "issue", "x", "--scope", "Jobs", "--days", "367"]],
    ["a built-in service name", ["service-token", "issue", "gateway", "--scope", "Jobs", "--days", "1"]],
    ["an invalid time", ["key", "create", "x", "--name", "x", "--scope", "read", "--expires", "tomorrow"]],
  ])("exits with 2 on wrong usage: %s", async (_what, args) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/Usage: |Run it with --help to see its arguments and options\./);
  });

  test("names the key to use when core does not know the CLI's key", async () => {
    const env = { ...core.env, ATELIER_DATA_DIR: inFolder("other") };
    const { exitCode, stderr } = await runCliHere(env, "plan", "list");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: core at .* does not accept this service key\. .* Use the data folder.*\n$/,
    );
  });

  test("names the environment variable with an invalid value", async () => {
    const { exitCode, stderr } = await runCliHere({ ...core.env, ATELIER_GRPC_PORT: "many" }, "plan", "list");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: .*ATELIER_GRPC_PORT.*\n$/);
  });
});

describe("the CLI as a separate process", () => {
  test("prints the result and exits with 0", async () => {
    const { accountId } = await createCustomer(core.app);
    const { exitCode, stdout, stderr } = await runCliProcess(
      core.env,
      "account",
      "show",
      accountId,
      "--json",
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ account_id: accountId });
  });

  test("exits with 1 when core refuses or is not running, and with 2 on wrong usage", async () => {
    const away = { ...core.env, ATELIER_CORE_ADDRESS: "127.0.0.1:1" };
    const [refused, wrong, alone] = await Promise.all([
      runCliProcess(core.env, "account", "show", "nobody@example.com"),
      runCliProcess(core.env, "account", "delete", "x"),
      runCliProcess(away, "plan", "list"),
    ]);
    expect(refused).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: No account .*\n$/),
    });
    expect(wrong).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: expect.stringMatching(/^error: unknown command 'delete'\n/),
    });
    expect(alone).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^error: core is not available at 127\.0\.0\.1:1\. Start it with npm start.*\n$/,
      ),
    });
  });

  test("prints help that names every command without configuration, and exits with 0", async () => {
    const { exitCode, stdout, stderr } = await runCliProcess({ ATELIER_GRPC_PORT: "many" }, "--help");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const commands =
      "account plan credits key model product category tag audit audit-trail membership licence member-key service-token";
    for (const command of words(commands)) {
      expect(stdout).toMatch(new RegExp(`^  ${command} `, "m"));
    }
    // The help fits a usual terminal.
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  });
});

// At the end, because it adds providers that other tests do not expect.
test.each([
  ["providers/fal-model.json", "fal"],
  ["poster-small.json", "local"],
])("model add accepts deploy/%s, which operators are told to add", async (file, provider) => {
  (core.app.providers as Map<string, Provider>).set(provider, createScriptedProvider());
  expect(await json("model", "add", `deploy/${file}`)).toMatchObject({ status: "live", provider });
});
