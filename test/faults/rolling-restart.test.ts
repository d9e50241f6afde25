// A rolling restart behind a load balancer that follows /readyz: every call is answered while processes stop and start.
import { once } from "node:events";
import { Agent, createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { service as healthService } from "grpc-health-check";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";
import { type ServiceProcess, startEntry } from "../../scripts/testbed/processes.ts";
import { addTestModel, createCustomer, createTestApp } from "../support/app.ts";
import { createInstantProvider } from "../support/providers.ts";
import { sharedByTests, useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

const START_BOUND_MS = 120_000;
/** Many times the detection time of the balancer and of core's clients, also on a busy machine. */
const LEAVE_MS = "8000";

type Member = {
  entry: string;
  port: number;
  opsPort: number;
  env: Record<string, string>;
  process: ServiceProcess;
};

const folder = useFolder();
const members: Member[] = [];

const app = sharedByTests(() => createTestApp());
beforeAll(async () => {
  // Separate cores have the embedded provider; this test's app only needs its name.
  await addTestModel(
    { ...app.app, providers: new Map([["local", createInstantProvider()]]) },
    { model_slug: "vector", credits: 1, provider: "local", provider_model: "vector" },
  );
});

afterAll(() => Promise.all(members.map(({ process }) => process.stop())));

async function readyz(opsPort: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status === 200;
  } catch {
    return false;
  }
}

function spawnMember({ entry, port, opsPort, env }: Omit<Member, "process">): ServiceProcess {
  return startEntry(entry, {
    MONGODB_URI: inject("mongodUri"),
    ATELIER_MONGO_DATABASE: app.database.name,
    ATELIER_DATA_DIR: folder(),
    ATELIER_RATE_LIMITS: "off",
    ATELIER_LEAVE_MS: LEAVE_MS,
    [entry === "core/entry/main.ts" ? "ATELIER_GRPC_PORT" : "ATELIER_HTTP_PORT"]: String(port),
    ATELIER_OPS_PORT: String(opsPort),
    ...env,
  });
}

async function startMember(entry: string, env: Record<string, string> = {}): Promise<Member> {
  const wanted = { entry, port: await freePort(), opsPort: await freePort(), env };
  const member = { ...wanted, process: spawnMember(wanted) };
  members.push(member);
  await waitFor(`${entry} to be ready`, () => readyz(member.opsPort), START_BOUND_MS);
  return member;
}

async function restart(member: Member): Promise<void> {
  expect(await member.process.stop()).toBe(0);
  member.process = spawnMember(member);
  await waitFor(`${member.entry} to be back`, () => readyz(member.opsPort), START_BOUND_MS);
}

/** Sends each request to the next edge that was ready a moment ago, over kept connections, without repeats. */
async function startBalancer(faces: readonly Member[]): Promise<{ url: string; close(): Promise<void> }> {
  const agent = new Agent({ keepAlive: true });
  let ready: readonly Member[] = faces;
  let turn = 0;
  let isOver = false;
  const states = faces.map(() => true);
  /** One probe of an edge at a time: a late response never replaces a newer one, and a slow edge does not delay others. */
  const watches = faces.map(async (face, at) => {
    while (!isOver) {
      states[at] = await readyz(face.opsPort);
      // As usual, without a ready member all stay in use: a machine too busy for a probe still serves calls.
      if (states.includes(true)) ready = faces.filter((_face, i) => states[i]);
      await delay(50);
    }
  });
  const server = createServer((incoming, outgoing) => {
    const face = ready[turn++ % ready.length];
    const { method, url, headers } = incoming;
    const onward = httpRequest(
      { agent, host: "127.0.0.1", port: face?.port, method, path: url, headers },
      (answer: IncomingMessage) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", (error) => outgoing.writeHead(502).end(error.message));
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close: async () => {
      isOver = true;
      await Promise.all(watches);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

type Load = { stop(): Promise<{ answered: number; failed: string[] }> };

/** Reads and writes in sequence, from several callers in parallel. */
function startLoad(calls: readonly (() => Promise<string | undefined>)[]): Load {
  let isOver = false;
  let answered = 0;
  const failed: string[] = [];
  const callers = calls.map(async (call) => {
    while (!isOver) {
      const failure = await call().catch((error: unknown) => String(error));
      answered += 1;
      if (failure) failed.push(failure);
      await delay(25);
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
      return { answered, failed };
    },
  };
}

test("no call fails while each gateway, tool server and core is restarted in turn", async () => {
  const { key } = await createCustomer(app.app, { plan: "studio", credits: 100_000 });
  const startTwo = (entry: string, env?: Record<string, string>) =>
    Promise.all([startMember(entry, env), startMember(entry, env)]);
  const cores = await startTwo("core/entry/main.ts");
  const toCores = { ATELIER_CORE_ADDRESS: `ipv4:${cores.map(({ port }) => `127.0.0.1:${port}`).join(",")}` };
  const [gateways, tools] = await Promise.all([
    startTwo("gateway/main.ts", toCores),
    startTwo("mcp/main.ts", toCores),
  ]);
  const rest = await startBalancer(gateways);
  const mcp = await startBalancer(tools);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const call = async (url: string, body?: object): Promise<string | undefined> => {
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const response = await fetch(url, { ...init, headers });
    const text = await response.text();
    // Jobs pile up, because no worker runs here.
    return response.ok || text.includes("queue_full") ? undefined : `${response.status} ${url} ${text}`;
  };
  const load = startLoad([
    () => call(`${rest.url}/api/credits/balance`),
    () => call(`${rest.url}/api/models`),
    () =>
      call(`${rest.url}/api/v1/connect/generate`, {
        modality: "image",
        model_slug: "vector",
        prompt: "a vase",
      }),
    () =>
      call(`${mcp.url}/api/mcp`, {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_credits", arguments: {} },
      }),
  ]);
  const inTurn = async (kind: readonly Member[]) => {
    for (const member of kind) await restart(member);
  };
  // Each of these two kinds has its own balancer.
  await Promise.all([inTurn(gateways), inTurn(tools)]);
  await inTurn(cores);
  const { answered, failed } = await load.stop();
  await Promise.all([rest.close(), mcp.close()]);
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(200);
}, 600_000);

test("a stopping gateway reports not ready, still answers, and closes each connection after its response", async () => {
  const [core] = members;
  const gateway = await startMember("gateway/main.ts", { ATELIER_CORE_ADDRESS: `127.0.0.1:${core?.port}` });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = async (path: string): Promise<IncomingMessage> => {
    const asked = httpRequest({ agent, host: "127.0.0.1", port: gateway.port, path }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
    return answer;
  };
  expect((await get("/llms.txt")).headers.connection).toBe("keep-alive");
  void gateway.process.signal("SIGTERM");
  await waitFor("it to say so", async () => !(await readyz(gateway.opsPort)));
  // A cached page, a document, a route and an unknown path.
  for (const path of ["/llms.txt", "/openapi.json", "/api/catalog", "/api/jobs", "/nowhere"]) {
    const answer = await get(path);
    expect([path, answer.headers.connection]).toEqual([path, "close"]);
  }
  agent.destroy();
  expect(await gateway.process.ended).toBe(0);
  members.splice(members.indexOf(gateway), 1);
});

test("a stopping core reports NOT_SERVING, still answers, and disconnects its clients at the end", async () => {
  const core = await startMember("core/entry/main.ts");
  const Health = grpc.makeClientConstructor(healthService, "Health");
  const client = new Health(`127.0.0.1:${core.port}`, grpc.credentials.createInsecure());
  const status = (): Promise<string> =>
    new Promise((resolve, reject) => {
      client["check"]?.({ service: "" }, (error: Error | null, reply: { status: string }) =>
        error ? reject(error) : resolve(reply.status),
      );
    });
  expect(await status()).toBe("SERVING");
  void core.process.signal("SIGTERM");
  await waitFor("it to say so", async () => !(await readyz(core.opsPort)));
  expect(await status()).toBe("NOT_SERVING");
  expect(await core.process.ended).toBe(0);
  await expect(status()).rejects.toThrow("UNAVAILABLE");
  client.close();
  members.splice(members.indexOf(core), 1);
});
