// The Python client, installed from its folder without a network, against a running service. Skipped without python3.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signingHeaders } from "../../core/studio/webhooks/sign.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { toSigningKey } from "../../runtime/keys/signing-keys.ts";
import { RELEASE } from "../../runtime/release.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { useFolder } from "../support/shared.ts";
import { type ClientFixture, openClientFixture } from "./client-world.ts";
import { openVerifyCases } from "./verify-cases.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const FOLDER = fileURLToPath(new URL("../../clients/python", import.meta.url));
const DOCUMENT = fileURLToPath(new URL("../gateway/__snapshots__/openapi.json", import.meta.url));
const WORKFLOW_END = JSON.stringify({ event: "workflow.completed", delivery_id: "dlv_1", workflow: {} });
const hasPython = spawnSync("python3", ["-m", "pip", "--version"]).status === 0;

const work = useFolder();
let env: Record<string, string | undefined>;
beforeAll(() => {
  env = { PATH: process.env["PATH"], PYTHONPATH: work("installed"), PYTHONDONTWRITEBYTECODE: "1" };
  if (!hasPython) return;
  const options = ["--quiet", "--disable-pip-version-check", "--no-index", "--target", work("installed")];
  execFileSync("python3", ["-m", "pip", "install", ...options, FOLDER], {
    stdio: ["ignore", "ignore", "inherit"],
  });
});

describe.skipIf(!hasPython)("the Python client (skipped without python3)", () => {
  let world: ClientFixture;
  beforeAll(async () => {
    world = await openClientFixture();
  });
  afterAll(() => world?.close());

  test("[CLIENT-01] [CLIENT-02] [CLIENT-04] creates, waits and downloads through cut connections and a restart", async () => {
    writeFileSync(work("photo.png"), await picture());
    const child = spawn("python3", [join(HERE, "whole_way.py")], {
      cwd: work(),
      env: {
        ...env,
        ATELIER_URL: world.service.url,
        ATELIER_ISSUER: world.service.app.generationBaseUrl,
        ATELIER_SHAKY_URL: world.shakyUrl,
        ATELIER_RESTARTED_URL: world.restartedUrl,
        ATELIER_KEY: world.key,
        ATELIER_STRANGER: generateApiKey("gen"),
      },
      stdio: ["ignore", "inherit", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (part: Buffer) => (said += part.toString()));
    const ended = once(child, "close") as Promise<[number | null]>;
    const meanwhile = async () => {
      for (const prompt of ["held through a cut", "held while events are told"]) {
        const held = await world.held(prompt);
        await world.proxy.cut();
        await world.proxy.restore();
        held.finish();
      }
      const restarted = await world.held("held through a restart");
      await world.restart();
      restarted.finish();
      (await world.held("held to fail")).fail();
      (await world.held("held to fail as a drawing")).fail();
    };
    const [[code]] = await Promise.all([ended, Promise.race([meanwhile(), ended])]);
    expect(said).toMatch(/\nOK\n$/);
    expect(code).toBe(0);
    expect(await world.service.audit()).toEqual([]);
  });

  test("[CLIENT-03] [FLOW-06] verifies genuine webhooks and refuses others", () => {
    const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;
    const old = `whsec_${Buffer.from("the secret that was there before").toString("base64")}`;
    const body = JSON.stringify({ event: "job.completed", delivery_id: "dlv_1", job: { prompt: "Ä" } });
    const signed = (secrets: string[], at = new Date(), text = body) =>
      signingHeaders(
        { deliveryId: "dlv_1", event: "job.completed", body: Buffer.from(text), at },
        { plain: secrets[0] ?? "", standard: secrets },
      );
    const key = toSigningKey(generateKeyPairSync("ed25519").privateKey);
    const keys = [{ x: key.x }];
    const text = JSON.stringify({ event: "credits.low", account_id: "acc_1" });
    const message = {
      deliveryId: "dlv_3",
      event: "credits.low",
      body: Buffer.from(text),
      at: new Date(),
    } as const;
    const event = {
      headers: signingHeaders(message, { plain: secret, standard: [secret] }, key.privateKey),
      body: text,
    };
    const cases: [string, object][] = [
      ["genuine", { ...event, account_id: "acc_1", keys }],
      ["genuine", { ...event, account_id: "acc_1", secret }],
      ["callback_refused", { ...event, account_id: "acc_2", keys }],
      ["callback_refused", { ...event, account_id: "acc_2", secret }],
      ["callback_refused", { ...event, account_id: "acc_1", secret: old }],
      ["callback_refused", { ...event, account_id: "acc_1", keys, body: text.replace("low", "law") }],
      ["genuine", { secret, headers: signed([secret]), body }],
      ["genuine", { secret: old, headers: signed([secret, old]), body }],
      ["genuine", { secret: [secret, old], headers: signed([old]), body }],
      ["genuine", { secret, headers: signed([secret], new Date(), WORKFLOW_END), body: WORKFLOW_END }],
      ["callback_refused", { secret, headers: signed([old], new Date(), WORKFLOW_END), body: WORKFLOW_END }],
      ["callback_refused", { secret, headers: signed([old]), body }],
      ["callback_refused", { secret, headers: signed([secret]), body: body.replace("Ä", "A") }],
      ["callback_refused", { secret, headers: signed([secret], new Date(Date.now() - 302_000)), body }],
      ["callback_refused", { secret, headers: {}, body }],
      ["callback_refused", { secret, headers: { ...signed([secret]), "webhook-timestamp": "soon" }, body }],
      ["no secret", { secret: "guess", headers: signed([secret]), body }],
    ];
    const input = cases.map(([, given]) => JSON.stringify(given)).join("\n");
    const said = execFileSync("python3", [join(HERE, "genuine.py")], { env, input })
      .toString()
      .trim()
      .split("\n");
    expect(said).toEqual(cases.map(([word]) => word));
  });

  test("atelier-verify checks files and the log, and names each forgery", async () => {
    const { cases, close } = await openVerifyCases(work());
    writeFileSync(work("cases.json"), JSON.stringify(cases));
    // This process serves the logs, so it must not wait for the other.
    const child = spawn("python3", [join(HERE, "verify_cases.py")], { env, cwd: work() });
    const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
    close();
    expect(said).toMatch(/\nOK\n$/);
    const help = spawnSync(work("installed/bin/atelier-verify"), ["--help"], { env });
    expect(help.stdout.toString()).toContain("--checkpoint");
  });

  test("[CLIENT-05] has the models of the OpenAPI document, field for field", () => {
    const said = execFileSync("python3", [join(HERE, "describe_models.py")], { env }).toString();
    const models = JSON.parse(said) as Record<string, Record<string, boolean>>;
    type Schema = { properties?: object; required?: string[] };
    const { components } = JSON.parse(readFileSync(DOCUMENT, "utf8")) as {
      components: { schemas: Record<string, Schema> };
    };
    const wanted = Object.entries(components.schemas)
      .filter(([name, { properties }]) => properties && !/(?:Answer|List)$/.test(name))
      .map(([name, { properties = {}, required = [] }]): [string, Record<string, boolean>] => [
        name,
        Object.fromEntries(Object.keys(properties).map((field) => [field, !required.includes(field)])),
      ]);
    expect(wanted.length).toBeGreaterThan(30);
    expect(models).toMatchObject(Object.fromEntries(wanted));
  });
});

test.skipIf(!hasPython)("[CLIENT-05] installs typed code and no other package", () => {
  const listed = execFileSync("python3", ["-m", "pip", "list", "--format=json", "--path", work("installed")]);
  expect(JSON.parse(listed.toString())).toEqual([{ name: "atelier-client", version: RELEASE }]);
  expect(readFileSync(work("installed/atelier_client/py.typed"), "utf8")).toBe("");
});
