// An agent's whole story, told with the protocol's own client against a worker in a process of its own that is killed with -9 while it
// works: the agent finds a product without a key, makes a picture within a budget and sees it, is refused above the limit, gets a person's
// yes for what costs more, has a picture, a clip of it and a voice made as one workflow, and proves from the ledger what it came to.
// `npm test -- test/e2e/agent-story.test.ts --mode thorough` kills a worker at each step, and prints the story.
// A second agent follows a skill, and is told by push how its job goes on while each process of the service is killed.
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createLocalProvider } from "../../core/adapters/providers/local/provider.ts";
import { startCore } from "../../core/entry/start.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import type { JobResource } from "../../proto/resources/job.ts";
import { canonicalEntry, GENESIS_HASH } from "../../proto/resources/ledger-chain.js";
import { createLog } from "../../runtime/log/log.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { createProcesses, type Processes, type ServiceProcess } from "../../scripts/testbed/processes.ts";
import { startEntry } from "../../scripts/testbed/processes.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { connectClient, PINNED } from "../mcp/mcp-clients.ts";
import { TASKS } from "../mcp/messages.ts";
import { createCustomer, makeKey } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { startRole } from "../support/roles.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const CREDITS = 100;
/** The monthly limit of the agent's key, and its approval threshold. */
const BUDGET = 40;
const ASKS_ABOVE = 10;
/** The price of the steps below: 4 for the picture, 6 for a second of clip, 2 for the voice. */
const WORKFLOW_CREDITS = 12;
const LEASE_MS = "1500";
const SMALL = { width: 320, height: 200 };

let service: WholeService;
let processes: Processes;
let worker: ServiceProcess;
beforeAll(async () => {
  const local = createLocalProvider(createLog("silent", "test"));
  service = await startWholeService({ worker: false, providers: [local] });
  await seedModels(service.app);
  await importRows(service.core, [row("harbour-icons", { name: "Harbour Icons", tagline: "Line icons" })]);
  processes = createProcesses();
  const opsPort = await startWorker();
  // A picture is awaited for 45 s, in which a slow machine may still be starting the worker.
  const isReady = async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok;
  await waitFor("the worker", isReady, 90_000);
});
afterAll(async () => {
  await processes.end();
  await service.close();
});

/** Returns the port for operators. */
async function startWorker(): Promise<number> {
  const opsPort = await freePort();
  worker = processes.startEntry("core/entry/worker.ts", {
    MONGODB_URI: service.mongodbUri,
    ATELIER_MONGO_DATABASE: service.config.mongoDatabase,
    ATELIER_DATA_DIR: service.config.dataDir,
    ATELIER_OPS_PORT: String(opsPort),
    ATELIER_LEASE_MS: LEASE_MS,
    ATELIER_LOG_LEVEL: "error",
  });
  return opsPort;
}

type Content = { type: string; text?: string; uri?: string; data?: string; mimeType?: string };
type Called = {
  failed: boolean;
  code: string | undefined;
  text: string;
  content: Content[];
  data: Record<string, unknown>;
};

/** An assistant's client. Questions to its user go into `asked`, and are approved. */
async function connect(url: string, key?: string, asked: string[] = []): Promise<Client> {
  return connectClient(url, key, { ...PINNED, capabilities: { elicitation: { form: {} } } }, (client) =>
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { confirm: true } };
    }),
  );
}

async function use(agent: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const { content, isError, structuredContent, _meta } = await agent.callTool({ name, arguments: args });
  const text = (content as Content[]).flatMap((part) => part.text ?? []).join("\n");
  tell(`${name} ${JSON.stringify(args)}`, text);
  return {
    failed: isError === true,
    code: (_meta?.["atelier/error"] as { code: string } | undefined)?.code,
    text,
    content: content as Content[],
    data: (structuredContent ?? {}) as Record<string, unknown>,
  };
}

/** The story as a chat would show it. */
function tell(head: string, text = ""): void {
  if (!inject("isThorough")) return;
  const shown = text.replaceAll(/\?[^\s)]*/g, "?…");
  console.log(
    [`> ${head}`, ...(shown === "" ? [] : shown.split("\n").map((line) => `    ${line}`))].join("\n"),
  );
}

type Step = { id: string; job_id: string; state: string };
type Entry = Parameters<typeof canonicalEntry>[0] & { hash: string };

test("[MCP-29] an agent finds a model, generates, is refused, gets approval, runs a workflow under kills, and verifies the ledger", async () => {
  tell("Without a key");
  const visitor = await connect(`${service.url}/mcp`);
  const found = await use(visitor, "search_catalog", { search: "icons" });
  const [product] = found.data["products"] as { slug: string }[];
  expect((await use(visitor, "get_product", { slug: product?.slug })).data).toMatchObject({
    name: "Harbour Icons",
  });
  const { data: addresses } = await use(visitor, "how_to_connect");

  tell("With the key that the person made");
  const { accountId } = await createCustomer(service.app, { credits: CREDITS });
  const { secret: key } = await makeKey(service.app, accountId, {
    name: "the agent's",
    maxCredits: BUDGET,
    confirmAbove: ASKS_ABOVE,
  });
  const asked: string[] = [];
  const agent = await connect(String(addresses["generation_url"]), key, asked);
  expect((await use(agent, "get_credits")).data).toMatchObject({
    available: CREDITS,
    key_max_credits: BUDGET,
    key_credits_left: BUDGET,
  });

  const picture = await use(agent, "connect_generate", {
    modality: "image",
    model_slug: "atelier-canvas",
    prompt: "a lighthouse at dawn",
    params: SMALL,
    max_credits: 5,
    wait_seconds: 45,
    preview: true,
  });
  expect(picture.data).toMatchObject({ state: "completed", credits_charged: 4 });
  const seen = picture.content.filter(({ type }) => type === "image");
  expect(seen).toMatchObject([{ mimeType: "image/webp", data: expect.any(String) }]);
  expect(asked).toEqual([]);

  const outputId = /File (out_\w+)/.exec(picture.text)?.[1];
  const film = { modality: "video", model_slug: "atelier-drift", prompt: "zoom in slowly" };
  const refused = await use(agent, "connect_generate", {
    ...film,
    params: { image: outputId, duration_seconds: 10 },
  });
  expect([refused.failed, refused.code]).toEqual([true, "spend_limit_reached"]);
  expect(refused.text).toContain(`Credits needed: 60.`);
  expect((await use(agent, "get_credits")).data).toMatchObject({ available: CREDITS - 4, held: 0 });

  const accepted = await use(agent, "run_workflow", {
    steps: [
      {
        id: "picture",
        modality: "image",
        model_slug: "atelier-canvas",
        prompt: "a lighthouse at dawn",
        params: SMALL,
      },
      { id: "clip", ...film, params: { image: "step:picture", duration_seconds: 1, ...SMALL } },
      {
        id: "voice",
        modality: "audio",
        model_slug: "atelier-voice",
        prompt: "A lighthouse at dawn. The light goes out, and the day begins.",
        after: ["clip"],
      },
    ],
    idempotency_key: "the-story",
  });
  expect(accepted.failed, accepted.text).toBe(false);
  expect(asked).toEqual([expect.stringContaining(String(WORKFLOW_CREDITS))]);
  expect(accepted.data).toMatchObject({ credits_reserved: WORKFLOW_CREDITS });
  const workflowId = String(accepted.data["workflow_id"]);

  for (const id of inject("isThorough") ? ["picture", "clip", "voice"] : ["clip"]) {
    await waitFor(
      `the step ${id} to run`,
      async () => (await stepsOf(workflowId, key)).get(id) === "running",
      90_000,
    );
    await worker.signal("SIGKILL");
    tell(`The worker is killed with -9 while it makes the ${id}.`);
    await startWorker();
  }
  const ended = await waitFor(
    "the workflow to end",
    async () => {
      const answer = await use(agent, "get_job", { job_id: workflowId, wait_seconds: 45 });
      return answer.data["state"] === "running" ? undefined : answer;
    },
    180_000,
  );
  expect(ended.data).toMatchObject({ state: "completed", credits_charged: WORKFLOW_CREDITS });
  const steps = ended.data["steps"] as Step[];
  expect(steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
    "picture completed",
    "clip completed",
    "voice completed",
  ]);
  const files = ended.content.filter(({ type }) => type === "resource_link");
  expect(files.map(({ mimeType }) => mimeType)).toEqual(["image/png", "video/mp4", "audio/wav"]);
  for (const { uri = "" } of files) expect((await fetch(uri)).status).toBe(200);

  const entries = await ledgerOf(key);
  expect(kindsByJob(entries, steps)).toEqual(steps.map(() => ["reserve", "debit"]));
  expectChain(entries);
  const balance = await service.read<{ balance: number }>("/api/credits/balance", key);
  expect(balance).toMatchObject({
    balance: CREDITS - 4 - WORKFLOW_CREDITS,
    held: 0,
    ledger_hash: entries.at(-1)?.hash,
  });
  tell(
    `The ledger's ${entries.length} entries follow from each other, hash by hash; ${balance.balance} credits are left.`,
  );
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});

/** Polled often, so not through the agent. */
async function stepsOf(workflowId: string, key: string): Promise<Map<string, string>> {
  const { steps } = await service.read<{ steps: Step[] }>(`/api/workflows/${workflowId}`, key);
  return new Map(steps.map(({ id, state }) => [id, state]));
}

/** All entries, oldest first, as a program reads them over REST. */
async function ledgerOf(key: string): Promise<Entry[]> {
  const { data } = await service.read<{ data: Entry[] }>("/api/credits/ledger?limit=100", key);
  return data.toReversed();
}

function kindsByJob(entries: readonly Entry[], steps: readonly Step[]): string[][] {
  return steps.map(({ job_id }) =>
    entries.filter((entry) => entry.job_id === job_id).map(({ kind }) => kind),
  );
}

/** Anyone with the entries can check that none was removed, added or changed. */
function expectChain(entries: readonly Entry[]): void {
  let [hash, balance, held] = [GENESIS_HASH, 0, 0];
  for (const [i, entry] of entries.entries()) {
    expect([entry.seq, entry.prev_hash]).toEqual([i + 1, hash]);
    hash = createHash("sha256").update(canonicalEntry(entry)).digest("hex");
    balance += entry.amount;
    held += entry.hold;
    expect([entry.hash, entry.balance_after, entry.held_after]).toEqual([hash, balance, held]);
  }
}

type Told = { number: number; status: string; result?: unknown };
/** What an agent is told of the job that it started; `end` resolves once it was told of the end. */
type Followed = { jobId: string; told: Told[]; end: Promise<unknown> };

const HELD = { modality: "image", model_slug: "picture", prompt: "held" };
const STEPS: Record<string, Record<string, unknown>> = {
  list_models: { modality: "image" },
  estimate_generation: HELD,
  get_credits: {},
  connect_generate: { ...HELD, max_credits: 10, idempotency_key: "the-skill" },
};

async function followSkill(url: string, key: string): Promise<Followed> {
  const agent = await connectClient(url, key);
  const host = new SkillsClient(agent);
  const skill = (await host.list()).skills.find(({ frontmatter }) => frontmatter.name === "make-a-picture");
  if (!skill) throw new Error("the skill is listed");
  const { body = "" } = await host.read(skill);
  const named = [...new Set(body.match(/[a-z]+_[a-z]+/g))].filter((name) => name in STEPS);
  expect(named).toEqual(Object.keys(STEPS));
  let jobId = "";
  for (const name of named) {
    const { failed, text, data } = await use(agent, name, STEPS[name]);
    expect(failed, text).toBe(false);
    jobId = String(data["job_id"]);
  }
  await agent.close();
  const told: Told[] = [];
  const listener = await connectClient(url, key, { ...PINNED, capabilities: TASKS });
  return { jobId, told, end: listenToEnd(listener, jobId, told) };
}

/** A listener that was cut off comes back, and names the last event that it was told of. */
async function listenToEnd(client: Client, taskId: string, told: Told[]): Promise<void> {
  const params = z.looseObject({ status: z.string(), result: z.unknown().optional() });
  client.setNotificationHandler("notifications/tasks", { params }, ({ status, result }, { params: sent }) => {
    told.push({ number: Number(sent?._meta?.["atelier/event"]), status, result });
  });
  const hasEnded = (): boolean => told.some(({ status }) => status !== "working");
  const listenOnce = async () => {
    const filter = { taskIds: [taskId], "atelier/after": { [taskId]: told.at(-1)?.number ?? 0 } };
    const { closed } = await client.listen(filter as object);
    await closed;
    return hasEnded();
  };
  await waitFor("the end of the task", listenOnce, 200_000);
  await client.close();
}

test(
  "[MCP-33] an agent that follows a skill is told of each event of its job once, while tool server, core and worker are killed",
  { timeout: 600_000 },
  async () => {
    const [corePort, toolPort] = [String(await freePort()), String(await freePort())];
    const toCore = { ATELIER_CORE_ADDRESS: `127.0.0.1:${corePort}` };
    const provider = createScriptedProvider();
    const own = await startWholeService({
      provider,
      core: false,
      worker: false,
      env: { ...toCore, ATELIER_GRPC_PORT: corePort, ATELIER_LEASE_MS: LEASE_MS },
    });
    onTestFinished(() => own.close());
    // More than the kills take on a slow machine.
    await own.app.mongo.db.collection("models").updateMany({}, { $set: { run_timeout_ms: 300_000 } });
    const { key } = await createCustomer(own.app);
    const tools = startEntry("mcp/main.ts", {
      ATELIER_DATA_DIR: own.config.dataDir,
      ATELIER_HTTP_PORT: toolPort,
      ...toCore,
    });
    const killTools = () => tools.signal("SIGKILL");
    onTestFinished(killTools);
    const [core, first] = await Promise.all([
      startRole(own, "core", { ATELIER_GRPC_PORT: corePort }),
      startRole(own, "worker", { ATELIER_LEASE_MS: LEASE_MS }),
    ]);

    const url = `http://127.0.0.1:${toolPort}/api/mcp`;
    await waitFor("the tool server", () => fetch(url));
    const { jobId, told, end } = await followSkill(url, key);
    const stored = () => jobs(own.app.mongo.db).findOne({ _id: jobId });
    const untilTold = (what: string, last: string) =>
      waitFor(
        what,
        async () => {
          const events = (await stored())?.events ?? [];
          return events.at(-1)?.type === last && told.length === events.length;
        },
        60_000,
      );
    await untilTold("the start to be told", "running");

    // Another worker takes the job over, and another core says so to the same listener.
    await Promise.all([core.signal("SIGKILL"), first.signal("SIGKILL")]);
    const next = await startCore(own.app);
    onTestFinished(() => next.close());
    own.startWorker();
    await untilTold("the takeover to be told", "retrying");
    await waitFor("the other worker's call", () => provider.calls.length > 0);

    // The job ends while there is no tool server.
    await killTools();
    const isOver = async () => {
      for (const call of provider.calls) call.finish();
      return (await stored())?.state === "completed";
    };
    await waitFor("the end", isOver);
    expect(told.map(({ status }) => status)).not.toContain("completed");
    await own.openEdge({ ATELIER_HTTP_PORT: toolPort });
    await end;
    const job = await own.read<JobResource>(`/api/jobs/${jobId}`, key);
    expect(told.map(({ number }) => number)).toEqual(job.events.map(({ seq }) => seq));
    expect(told.at(-1)).toMatchObject({
      status: "completed",
      result: {
        structuredContent: {
          outputs: [{ url: expect.stringContaining(String(job.outputs[0]?.output_id)) }],
        },
      },
    });
    expect(await own.audit()).toEqual([]);
  },
);
