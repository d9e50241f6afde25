// Half-open connections between an edge and core, and between core and the database: calls continue, and nothing is done for callers that
// have timed out.
import { inject, onTestFinished, test, expect } from "vitest";
import { jobs } from "../../core/studio/jobs/store.ts";
import { createCoreClient } from "../../proto/client.ts";
import type { GenerateRequestInput } from "../../proto/types/atelier/v1/GenerateRequest.ts";
import { CLAIMS } from "../../runtime/config/service-names.ts";
import { loadServiceKey, signServiceToken } from "../../runtime/keys/service-token.ts";
import { createCustomer } from "../support/app.ts";
import { uriByPort } from "../support/database.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService, type WholeServiceOptions } from "../support/whole-service.ts";

async function begin(options: WholeServiceOptions): Promise<WholeService> {
  const service = await startWholeService(options);
  onTestFinished(() => service.close());
  return service;
}

const PICTURE: GenerateRequestInput = {
  modality: "image",
  model_slug: "picture",
  prompt: "a pier",
  params_json: "{}",
  metadata: {},
};

test("a half-open connection to core is detected, and calls succeed on another one", async () => {
  const service = await begin({ worker: false });
  const proxy = await startTcpProxy(Number(service.coreAddress.split(":")[1]));
  const pem = loadServiceKey(service.config, "cli");
  const client = createCoreClient({
    address: `127.0.0.1:${proxy.port}`,
    serviceToken: () => signServiceToken(pem, "test", CLAIMS, 60),
  });
  onTestFinished(async () => {
    client.close();
    await proxy.cut();
  });
  await client.models.ListPlans({});
  proxy.halfOpen();
  const { plans } = await client.models.ListPlans({}, { deadlineMs: 30_000 });
  expect(plans.length).toBeGreaterThan(0);
});

test("no job is created for callers who timed out while the database hung", async () => {
  const proxy = await startTcpProxy(Number(new URL(inject("mongodUri")).port));
  onTestFinished(() => proxy.cut());
  const service = await begin({ worker: false, mongodbUri: uriByPort(proxy.port) });
  const { accountId } = await createCustomer(service.app, { credits: 10_000 });
  const generate = (deadlineMs: number) =>
    service.core.jobs.Generate(PICTURE, {
      deadlineMs,
      caller: { kind: "account", accountId, source: "app" },
    });
  await generate(30_000);

  proxy.blackHole();
  const given = await Promise.allSettled(Array.from({ length: 50 }, () => generate(1_000)));
  expect(new Set(given.map((one) => one.status === "rejected" && one.reason.code))).toEqual(
    new Set(["deadline_exceeded"]),
  );
  await proxy.restore();
  // All earlier work ends before this.
  await waitFor("core to accept again", () => generate(30_000), 60_000);
  expect(await jobs(service.app.mongo.db).countDocuments({})).toBe(2);
});
