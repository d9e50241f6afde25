// Makes data of a release for tests of later ones: checks out the release, runs its own code on a separate database, and writes the stored
// data to test/fixtures/. `node scripts/make-fixture.js version-N COMMIT`, with the schema version N; an existing fixture is never made again.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { waitFor } from "../test/support/wait-for.ts";

const BOUND_MS = 60_000;
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [name, commit] = process.argv.slice(2);
if (!name || !commit) throw new Error("usage: node scripts/make-fixture.js NAME COMMIT");
const tree = mkdtempSync(join(tmpdir(), "atelier-fixture-"));
/** Loads a module of that release. */
const release = (path) => import(pathToFileURL(join(tree, path)).href);

execFileSync("sh", ["-c", `git -C "${ROOT}" archive ${commit} | tar -x -C "${tree}"`]);
for (const shared of ["node_modules", ".cache"]) symlinkSync(join(ROOT, shared), join(tree, shared));

const { loadConfig } = await release("runtime/config/config.ts");
const { createLog } = await release("runtime/log/log.ts");
const { createMetrics } = await release("runtime/ops/metrics.ts");
const { findMongod } = await release("runtime/mongod/find.ts");
const { startMongod } = await release("runtime/mongod/mongod.ts");
const { openApp, startWorker } = await release("core/entry/start.ts");
const { migrate } = await release("core/entry/migrate.ts");
const { ProviderError } = await release("core/adapters/providers/provider.ts");
const { BSON } = await release("node_modules/mongodb/lib/index.js").then((one) => one.default ?? one);

/** A provider that does what the prompt says. */
const make = async ({ prompt }, { signal, onProgress }) => {
  onProgress(0.5);
  if (prompt.startsWith("refused")) throw new ProviderError("provider_refused", "It will not make this.");
  if (prompt.startsWith("endless"))
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const bytes = prompt.startsWith("large") ? 300 * 1024 : 64;
  return [{ bytes: new Uint8Array(bytes).fill(7), mimeType: "image/png", width: 8, height: 8 }];
};
const provider = { name: "test", safeToRepeat: true, start: make };

const log = createLog("silent", "fixture");
const receiver = createServer((request, response) => {
  response.statusCode = { "/ok": 200, "/gone": 410 }[request.url] ?? 503;
  response.end();
}).listen(0, "127.0.0.1");
await new Promise((resolve) => receiver.once("listening", resolve));
const receiverUrl = `http://127.0.0.1:${receiver.address().port}`;
const mongod = await startMongod({
  binary: await findMongod({ path: undefined, say: console.log }),
  dbPath: join(tree, "data/mongo"),
  logPath: join(tree, "data/mongod.log"),
  port: 0,
  log,
  onLost: (error) => console.error(error),
});
const { app, close } = await openApp({
  config: loadConfig({
    ATELIER_DATA_DIR: join(tree, "data"),
    ATELIER_SECRET: randomBytes(32).toString("hex"),
    ATELIER_DEMO_PRODUCTS: "40",
  }),
  log,
  metrics: createMetrics(),
  mongodbUri: mongod.uri,
  providers: new Map([["test", provider]]),
});
await migrate(app);
const made = await fill(app);
const stored = await dump(app.mongo.db);
writeFileSync(
  join(ROOT, `test/fixtures/${name}.json.gz`),
  gzipSync(BSON.EJSON.stringify({ made, stored }, { relaxed: false }), { level: 9 }),
);
console.log(
  Object.fromEntries(stored.map(({ name: collection, documents }) => [collection, documents.length])),
);
await close();
await mongod.stop();
receiver.close();
rmSync(tree, { recursive: true, force: true });
process.exit();

async function fill(app) {
  const { seedDemoCatalog } = await release("core/shop/catalog/demo/seed.ts");
  await seedDemoCatalog(app);
  await addPicture(app);
  const customers = await makeCustomers(app);
  const sessionId = await makeHistory(app, customers);
  await buy(app, customers[1]);
  const requests = await makeJobs(app, customers);
  await publish(app, requests);
  return { commit, at: new Date(), receiverUrl, customers, requests, sessionId };
}

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}

async function addPicture(app) {
  const { addModel } = await release("core/studio/models/add-model.ts");
  await addModel(app, {
    model_slug: "picture",
    name: "Picture",
    modality: "image",
    description: "For a fixture.",
    credits: 10,
    per: "image",
    estimated_seconds: 1,
    max_prompt_length: 4000,
    params_schema: {
      type: "object",
      properties: { count: { type: "integer", minimum: 1, maximum: 4, default: 1 } },
      additionalProperties: false,
    },
    provider: "test",
    provider_model: "test",
    run_timeout_ms: 600_000,
    provider_options: {},
  });
}

async function makeCustomers(app) {
  const { openAccount } = await release("core/identity/credits/open-account.ts");
  const { createKey } = await release("core/identity/accounts/create-key.ts");
  const { revokeKey } = await release("core/identity/accounts/change-key.ts");
  const { grantCredits } = await release("core/identity/credits/grant.ts");
  const customers = [];
  for (const [i, plan] of ["pro", "studio", "free"].entries()) {
    const { _id: accountId, email } = await openAccount(app, {
      email: `ada-${i}@example.com`,
      name: "Ada",
      plan,
    });
    await grantCredits(app, {
      accountId,
      amount: 1_000,
      kind: "grant",
      memo: "welcome",
      source: "cli",
      idempotencyKey: "welcome",
    });
    const keys = [];
    if (plan !== "free") {
      for (const scope of ["write", "read", "write"])
        keys.push(await createKey(app, accountId, { name: scope, scope, expiresAt: null }));
      await revokeKey(app, accountId, keys[2].key.key_id);
    }
    customers.push({
      accountId,
      email,
      plan,
      key: keys[0]?.secret ?? null,
      readKey: keys[1]?.secret ?? null,
    });
  }
  return customers;
}

async function makeHistory(app, [pro, studio, free]) {
  const { setAccountStatus } = await release("core/identity/sessions/set-account-status.ts");
  const { rotateCallbackSecret } = await release("core/studio/webhooks/secret.ts");
  const { revokeServiceName } = await release("core/kernel/services/names.ts");
  const { setMembership } = await release("core/shop/memberships/change-membership.ts");
  const { provisionMemberKey } = await release("core/identity/accounts/create-key.ts");
  const { grantLicence } = await release("core/shop/memberships/licences.ts");
  const { createLink } = await release("core/identity/sessions/create-link.ts");
  const { signIn } = await release("core/identity/sessions/sign-in.ts");
  await setAccountStatus(app, free.accountId, "suspended");
  await rotateCallbackSecret(app, pro.accountId);
  await rotateCallbackSecret(app, pro.accountId);
  await revokeServiceName(app, "an-old-service");
  const until = new Date(Date.now() + 30 * 86_400_000);
  await setMembership(app, studio.accountId, { tier: "plus", until });
  studio.memberKey = (
    await provisionMemberKey(app, studio.accountId, { name: "laptop", expiresAt: null })
  ).secret;
  const product = await app.mongo.db.collection("products").findOne({ status: "published" });
  await grantLicence(app, studio.accountId, {
    productSlug: product.slug,
    kind: "standard",
    source: "purchase",
  });
  for (const name of ["an unused link", "a used link"])
    await createLink(app, pro.email, { tokenSha256: sha256(name) });
  const { session } = await signIn(app, sha256("a used link"), {
    userAgent: "a browser",
    network: "192.0.2.0/24",
  });
  return session._id;
}

/** An order whose payment is not yet known, an open one, a hold of a service, and an endpoint of the account. */
async function buy(app, { accountId }) {
  const { placeOrder } = await release("core/shop/orders/place-order.ts");
  const { startCheckout } = await release("core/shop/orders/checkout.ts");
  const { ordersHandlers } = await release("core/shop/orders/rpc.ts");
  const { decideHolds } = await release("core/identity/holds/holds.ts");
  const { setServiceLimit } = await release("core/identity/holds/set-limit.ts");
  const { addEndpoint } = await release("core/studio/webhooks/account-endpoints.ts");
  await addEndpoint(app, accountId, { url: new URL("ok", receiverUrl).href, events: ["job.*", "order.*"] });
  for (const [i, pack] of ["small", "medium"].entries()) {
    const { price_cents: expectedCents } = await app.mongo.db
      .collection("credit_packs")
      .findOne({ _id: pack });
    const wanted = { kind: "credits", pack };
    const { _id: orderId } = await placeOrder(app, accountId, {
      idempotencyKey: pack,
      expectedCents,
      wanted,
    });
    const { order } = await startCheckout(app, accountId, { orderId, expectedCents });
    const press = { ref: order.provider_ref, action: "pay", delivery: "once" };
    const caller = { kind: "account", accountId, source: "app" };
    if (i === 0) await ordersHandlers(app).PressDemoCheckout(press, { caller });
  }
  await setServiceLimit(app, "press", 1_000);
  const wanted = {
    account: accountId,
    amount: 20,
    key: "a page",
    expires_in: 86_400,
    memo: "a page",
  };
  const [held] = await decideHolds(app, [
    { kind: "hold", service: "press", newId: app.newId("hold"), wanted },
  ]);
  if (held.status !== "fulfilled") throw held.reason;
}

/** A public link of an output, and the public log. */
async function publish(app, [{ accountId, jobId }]) {
  const { shareOutput } = await release("core/studio/jobs/share.ts");
  const { writeLog } = await release("core/identity/log/write-log.ts");
  const { outputs } = await app.mongo.db.collection("jobs").findOne({ _id: jobId });
  await shareOutput(app, { accountId, jobId, outputId: outputs[0].output_id, showsPrompt: true });
  await writeLog(app);
}

async function makeJobs(app, [pro, studio]) {
  const { redeliver } = await release("core/studio/jobs/deliveries.ts");
  const { createCancelQueue } = await release("core/studio/jobs/cancel.ts");
  startWorker(app);
  const requests = [];
  const accept = await acceptor(app, requests);
  const stateOf = async (jobId) => (await app.mongo.db.collection("jobs").findOne({ _id: jobId })).state;

  const ended = [];
  for (const customer of [pro, studio]) {
    for (const [i, prompt] of ["small", "small", "large", "refused", "small", "refused"].entries()) {
      const callback = ["ok", "busy", "gone", "ok", null, null][i];
      ended.push(
        await accept(customer, `${prompt} ${i}`, {
          callback,
          idempotencyKey: `ended-${i}`,
          count: (i % 4) + 1,
        }),
      );
    }
  }
  const haveEnded = async () =>
    (await Promise.all(ended.map(stateOf))).every((s) => s === "completed" || s === "failed");
  await waitFor("ended jobs", haveEnded, BOUND_MS);
  await redeliver(app, pro.accountId, ended[0]);

  // Five slots: five run, the others wait, and one of those is cancelled.
  for (let i = 0; i < 9; i++)
    await accept(pro, `endless ${i}`, {
      callback: i % 2 ? "ok" : null,
      idempotencyKey: i < 7 ? `live-${i}` : null,
    });
  const cancelJob = createCancelQueue(app);
  for (const { jobId } of requests.slice(-2)) await cancelJob({ accountId: pro.accountId, jobId });
  const count = (collection, filter) => app.mongo.db.collection(collection).countDocuments(filter);
  await waitFor("running jobs", async () => (await count("jobs", { state: "running" })) === 5, BOUND_MS);
  await waitFor("deliveries", async () => (await count("deliveries", { attempt_count: 0 })) === 0, BOUND_MS);
  return requests;
}

/** Returns the function that accepts a job and records its request. */
async function acceptor(app, requests) {
  const { acceptJobs } = await release("core/studio/jobs/accept.ts");
  return async (customer, prompt, { idempotencyKey = null, callback = null, count = 1 } = {}) => {
    const request = {
      caller: { kind: "key", keySha256: sha256(customer.key), source: "api" },
      modality: "image",
      modelSlug: "picture",
      prompt,
      callbackUrl: callback === null ? null : new URL(callback, receiverUrl).href,
      params: { count },
      metadata: { order: String(requests.length) },
      idempotencyKey,
    };
    const { caller, modelSlug, callbackUrl, idempotencyKey: _, ...more } = request;
    const asked = { ...more, model_slug: modelSlug, ...(callbackUrl && { callback_url: callbackUrl }) };
    const [result] = await acceptJobs(app, [{ caller, request: asked, idempotencyKey }]);
    if (result.status !== "fulfilled") throw result.reason;
    requests.push({ accountId: customer.accountId, jobId: result.value.job._id, request });
    return result.value.job._id;
  };
}

/** Every collection at this moment, with its indexes. The worker continues, so its leases look as after a crash. */
async function dump(db) {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map((one) => one.name).sort();
  const collections = [];
  for (const collection of names) {
    const indexes = (await db.collection(collection).indexes()).filter((index) => index.name !== "_id_");
    collections.push({
      name: collection,
      indexes,
      documents: await db.collection(collection).find().sort({ _id: 1 }).toArray(),
    });
  }
  return collections;
}
