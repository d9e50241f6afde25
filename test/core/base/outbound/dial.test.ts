import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer } from "node:https";
import { type AddressInfo, Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { type Agent, request } from "undici";
import { describe, expect, onTestFinished, test, beforeAll, vi } from "vitest";
import { type AddressPolicy, checkCallbackUrl } from "../../../../core/base/outbound/address.ts";
import { createCheckedAgent, createResolver, type Resolve } from "../../../../core/base/outbound/dial.ts";
import { withInputs } from "../../../../core/studio/jobs/inputs.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { createUploadReceiver } from "../../../../core/studio/uploads/receive.ts";
import { createTestEvents } from "../../../../core/studio/webhooks/test-event.ts";
import { addTestModel, createCustomer, useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { newForEachTest } from "../../../support/shared.ts";
import { queueEnds, startDeliverer, waitForAttempts } from "../../studio/webhooks/fixtures.ts";
import { startReceiver, receiver } from "../../studio/webhooks/receiver.ts";

/** Self-signed for receiver.test, valid from 2020 to 2120. Its key is public and for tests only. */
const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBbTCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZl
ci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEu4G/
kgfqkiZ6wJO0dO81nFV20ASL0olaN7ZBvSUxNbpGjWErR//EhiVhHgj76qoMQz4Z
9iBIbyOX172moNVwBaNMMEowGAYDVR0RBBEwD4INcmVjZWl2ZXIudGVzdDAPBgNV
HRMBAf8EBTADAQH/MB0GA1UdDgQWBBSt0ysUGx6XtqJOywA//6HCfZL9IzAKBggq
hkjOPQQDAgNIADBFAiA2FGLZq5vjHgRb0eKtcedq2dW8WJmRHFORl+GCCONqJAIh
AJxApNsSbTjE78o/q8ZhT5ET5/lRRDXOb/tF2j+/Vahg
-----END CERTIFICATE-----`;

const TEST_CERTIFICATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjHZc53nA5T9K6zG2
xaZcvrKg+uq8AC7DkjpqcQqhnwWhRANCAAS7gb+SB+qSJnrAk7R07zWcVXbQBIvS
iVo3tkG9JTE1ukaNYStH/8SGJWEeCPvqqgxDPhn2IEhvI5fXvaag1XAF
-----END PRIVATE KEY-----`;

const nobodyAsks: Resolve = (name) => Promise.reject(new Error(`nobody should look up ${name}`));

function createAgent(policy: AddressPolicy, resolve: Resolve = nobodyAsks): Agent {
  const agent = createCheckedAgent({ policy, resolve, connections: 1, connectTimeoutMs: 2000 });
  onTestFinished(() => agent.destroy());
  return agent;
}

async function post(agent: Agent, url: string): Promise<number | string> {
  try {
    const { statusCode, body } = await request(url, { dispatcher: agent, method: "POST", body: "{}" });
    await body.dump();
    return statusCode;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Every address that this process tried to connect to. */
function watchDialled(): string[] {
  const dialled: string[] = [];
  const note = (message: unknown) => {
    (message as { socket: Socket }).socket.on("connectionAttempt", (ip, port) =>
      dialled.push(`${ip} ${port}`),
    );
  };
  subscribe("net.client.socket", note);
  onTestFinished(() => {
    unsubscribe("net.client.socket", note);
  });
  return dialled;
}

describe("dialling", () => {
  const receiver = newForEachTest(() => startReceiver());

  test("refuses an inside address that is given as a literal, without a lookup", async () => {
    const dialled = watchDialled();
    const agent = createAgent("public");
    for (const host of ["127.0.0.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"]) {
      expect([host, await post(agent, `http://${host}:${receiver.port}/`)]).toEqual([host, "RefusedAddress"]);
    }
    expect(dialled).toEqual([]);
    expect(receiver.connections()).toBe(0);
  });

  test("refuses a name with an inside address, alone or among public ones", async () => {
    const dialled = watchDialled();
    for (const addresses of [
      ["127.0.0.1"],
      ["10.0.0.1"],
      ["93.184.216.34", "169.254.169.254"],
      ["::ffff:7f00:1"],
    ]) {
      const agent = createAgent("public", async () => addresses);
      expect(await post(agent, `http://inside.test:${receiver.port}/`)).toBe("RefusedAddress");
    }
    expect(dialled).toEqual([]);
  });

  test("[CALL-09] connects to the address that it checked, whatever the name resolves to afterwards", async () => {
    const dialled = watchDialled();
    const answers = [["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"]];
    const asked: string[] = [];
    const agent = createAgent("public_and_loopback", async (name) => {
      asked.push(name);
      return answers[asked.length - 1] ?? [];
    });
    const url = `http://rebinding.test:${receiver.port}/`;
    expect(await post(agent, url)).toBe(204);
    // An open connection needs no lookup.
    expect(await post(agent, url)).toBe(204);
    expect(asked).toEqual(["rebinding.test"]);
    // A new connection looks the name up again, and is refused.
    const second = createAgent("public_and_loopback", async () => answers[1] ?? []);
    expect(await post(second, url)).toBe("RefusedAddress");
    expect(dialled).toEqual([`127.0.0.1 ${receiver.port}`]);
  });

  test("tries the next address of a name when one does not answer", async () => {
    const agent = createAgent("public_and_loopback", async () => ["127.0.0.9", "127.0.0.1"]);
    expect(await post(agent, `http://several.test:${receiver.port}/`)).toBe(204);
  });

  test("reports a name without addresses", async () => {
    expect(
      await post(
        createAgent("public", async () => []),
        `http://nothing.test/`,
      ),
    ).toBe("NameNotFound");
  });

  test("does not query DNS about localhost", async () => {
    const agent = createAgent("public_and_loopback", createResolver("public_and_loopback"));
    expect(await post(agent, `http://localhost:${receiver.port}/`)).toBe(204);
    expect(await post(agent, `http://api.localhost:${receiver.port}/`)).toBe(204);
  });

  test("reaches every address where private targets are allowed", async () => {
    expect(await post(createAgent("any"), `http://127.0.0.1:${receiver.port}/`)).toBe(204);
  });
});

test("a TLS connection to a checked address requires the certificate of the name", async () => {
  const names: (string | false | null)[] = [];
  const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (request, response) => {
    names.push((request.socket as { servername?: string }).servername ?? null);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, TEST_CERTIFICATE]);
  onTestFinished(() => {
    setDefaultCACertificates(before);
    server.close();
  });

  const agent = createAgent("public_and_loopback", async () => ["127.0.0.1"]);
  expect(await post(agent, `https://receiver.test:${port}/`)).toBe(204);
  expect(names).toEqual(["receiver.test"]);
  expect(await post(agent, `https://another.test:${port}/`)).toBe("Error");
  expect(await post(agent, `https://127.0.0.1:${port}/`)).toBe("Error");
  expect(names).toHaveLength(1);
});

// A name with a public address at the first lookup and loopback at the next, for each kind of URL that customers give, under production's
// rules.
const PUBLIC = "93.184.216.34";
const NAME = "rebinding.example";
const clock = createFakeClock();
let app: JobsApp;
const testApp = useTestApp({ clock });
beforeAll(async () => {
  app = { ...testApp.app, config: { ...testApp.app.config, profile: "production" } };
});

/** The addresses that this process connects to on that port. Connections to the public address fail locally. */
function watchDials(port: number): string[] {
  const dialled: string[] = [];
  const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
  const spy = vi.spyOn(Socket.prototype, "connect");
  spy.mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [first] = args;
    const target = (Array.isArray(first) ? first[0] : first) as { host?: string; port?: unknown };
    if (Number(target.port) === port) dialled.push(String(target.host));
    if (target.host !== PUBLIC) return connect.apply(this, args);
    process.nextTick(() => this.destroy(new Error("the test lets nothing out")));
    return this;
  } as typeof Socket.prototype.connect);
  onTestFinished(() => spy.mockRestore());
  return dialled;
}

/** An endpoint on loopback, and the name that resolves to it from the second lookup on. */
async function startRebinding() {
  const inside = await receiver();
  const url = `https://${NAME}:${inside.port}/hook`;
  expect(checkCallbackUrl(app.config, url)).toBeUndefined();
  const asked: string[] = [];
  const resolve: Resolve = async (name) => (asked.push(name) === 1 ? [PUBLIC] : ["127.0.0.1"]);
  const dialled = watchDials(inside.port);
  const expectNeverInside = () => {
    expect(asked).toEqual([NAME, NAME]);
    expect(dialled).toEqual([PUBLIC]);
    expect(inside.connections()).toBe(0);
  };
  return { url, resolve, expectNeverInside };
}

test("a webhook is not delivered when its endpoint's name is rebound to loopback", async () => {
  const { url, resolve, expectNeverInside } = await startRebinding();
  const [jobId = ""] = await queueEnds(app, url);
  const deliverer = startDeliverer(app, { resolve });
  await waitForAttempts(app, jobId, 1);
  clock.advance(5_000);
  deliverer.wake();
  const { attempts } = await waitForAttempts(app, jobId, 2);
  expect(attempts.map(({ http_status }) => http_status)).toEqual([null, null]);
  expect(attempts[1]?.error).toBe("refused address");
  expectNeverInside();
});

test("a test event is not sent when its endpoint's name is rebound to loopback", async () => {
  const { url, resolve, expectNeverInside } = await startRebinding();
  const { accountId } = await createCustomer(app);
  const events = createTestEvents(app, resolve);
  onTestFinished(() => events.close());
  expect((await events.send(accountId, { url })).status).toBe("failed");
  const { status, attempts } = await events.send(accountId, { url });
  expect([status, attempts[0]?.error]).toEqual(["failed", "refused address"]);
  expectNeverInside();
});

test("an input is not fetched when its host's name is rebound to loopback", async () => {
  const { url, resolve, expectNeverInside } = await startRebinding();
  await addTestModel(app, {
    model_slug: "restyle",
    params_schema: {
      type: "object",
      properties: { image: { type: "string", format: "atelier-input", "x-accept": "image" } },
      required: ["image"],
      additionalProperties: false,
    },
    provider_model: "restyle",
  });
  const { caller } = await createCustomer(app);
  const intake = createUploadReceiver(app, resolve);
  onTestFinished(() => intake.close());
  const ask = () =>
    withInputs(
      app,
      intake,
      {
        caller,
        request: { modality: "image", model_slug: "restyle", prompt: "as ink", params: { image: url } },
        idempotencyKey: null,
      },
      new AbortController().signal,
      () => Promise.reject(new Error("the job was accepted")),
    );
  await expect(ask()).rejects.toMatchObject({ code: "input_unreachable" });
  await expect(ask()).rejects.toMatchObject({
    code: "input_unreachable",
    message: expect.stringContaining("refused address"),
  });
  expectNeverInside();
});
