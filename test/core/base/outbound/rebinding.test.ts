// A name with a public address at the first lookup and loopback at the next, for each kind of URL that customers give, under production's
// rules.
import { Socket } from "node:net";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { checkCallbackUrl } from "../../../../core/base/outbound/address.ts";
import type { Resolve } from "../../../../core/base/outbound/dial.ts";
import { withInputs } from "../../../../core/studio/jobs/inputs.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { createUploadReceiver } from "../../../../core/studio/uploads/receive.ts";
import { createTestEvents } from "../../../../core/studio/webhooks/test-event.ts";
import { addTestModel, createCustomer, useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { queueEnds, startDeliverer, waitForAttempts } from "../../studio/webhooks/fixtures.ts";
import { receiver } from "../../studio/webhooks/receiver.ts";

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
