// A service under load is backed up, killed, and its folder deleted. What was confirmed before the backup is restored in another folder,
// with its credits, files, keys and sessions. Runs with --mode thorough.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { Atelier } from "../../clients/js/src/index.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { type ServiceProcess, startService } from "../../scripts/testbed/processes.ts";
import { CLI_ENTRY, withReason } from "../cli/run-cli.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

const BOUND_MS = 120_000;
const CALLERS = 3;
const JOBS_BEFORE = 8;
const PAUSE_MS = 50;

type Access = { base_url: string; generation_key: string; sign_in_url: string };

const root = useFolder();
let service: ServiceProcess | undefined;
let env: Record<string, string>;

beforeEach(async () => {
  // URLs are the same after the loss, because cookies and clients have them.
  env = {
    ATELIER_HTTP_PORT: String(await freePort()),
    ATELIER_GRPC_PORT: String(await freePort()),
    ATELIER_RATE_LIMITS: "off",
  };
});
afterEach(() => service?.stop());

async function start(dataDir: string): Promise<Access> {
  service = await startService({ ...env, ATELIER_DATA_DIR: dataDir });
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Access;
}

async function atelier(dataDir: string, ...args: string[]): Promise<string> {
  const settings = { ...env, PATH: process.env["PATH"], ATELIER_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [CLI_ENTRY, ...withReason(args)], {
    env: { ...settings, ATELIER_MONGOD: process.env["ATELIER_MONGOD"], ATELIER_LOG_LEVEL: "warn" },
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, "close")) as [number];
  expect([code, await said]).toEqual([0, [expect.any(String), ""]]);
  return (await said)[0];
}

/** Accepts jobs until it is stopped or the service is gone. Returns the confirmed ids. */
function startLoad({ base_url: url, generation_key: key }: Access): string[] {
  const confirmed: string[] = [];
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const params = { width: 64, height: 64 };
  const body = JSON.stringify({ modality: "image", model_slug: "atelier-canvas", prompt: "a pier", params });
  const call = async (): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${url}/api/v1/connect/generate`, { method: "POST", headers, body });
      if (answer.status === 202)
        confirmed.push(((await answer.json()) as { result: { job_id: string } }).result.job_id);
      await sleep(PAUSE_MS);
    }
  };
  // They end with the service.
  for (let n = 0; n < CALLERS; n++) call().catch(() => {});
  return confirmed;
}

async function signIn({ base_url: url, sign_in_url }: Access): Promise<string> {
  const token = new URL(sign_in_url).searchParams.get("token") ?? new URL(sign_in_url).hash.slice(1);
  const answer = await fetch(`${url}/sign-in/confirm`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token, next: "", other_browser: "yes" }),
  });
  expect(answer.status).toBe(303);
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

const ended = async (client: Atelier, jobId: string) => {
  const job = await client.job(jobId);
  return job.state === "completed" && job;
};

test.skipIf(!inject("isThorough"))(
  "a service that lost its disk is restored from a backup made under load",
  { timeout: 900_000 },
  async () => {
    const [lost, found, backups] = ["lost", "found", "backups"].map((name) => root(name)) as [
      string,
      string,
      string,
    ];
    const access = await start(lost);
    const client = new Atelier({ baseUrl: access.base_url, apiKey: access.generation_key });
    const cookie = await signIn(access);
    const confirmed = startLoad(access);
    await waitFor("jobs", () => confirmed.length >= JOBS_BEFORE, BOUND_MS);
    const [first = ""] = confirmed;
    const { outputs } = await waitFor("a file", () => ended(client, first), BOUND_MS);
    const before = [...confirmed];
    // The service is running on the folder, where the command finds its database.
    await atelier(lost, "backup", backups);
    expect(confirmed.length).toBeGreaterThan(before.length);

    await service?.signal("SIGKILL");
    copyFileSync(join(lost, "secret"), root("secret"));
    // mongod stops when its guard notices, and writes until then.
    await waitFor("the folder to be gone", () => {
      rmSync(lost, { recursive: true, force: true });
      return true;
    });

    mkdirSync(found, { mode: 0o700 });
    copyFileSync(root("secret"), join(found, "secret"));
    expect(await atelier(found, "restore", backups)).toContain("all is right");
    await start(found);
    for (const jobId of before) await waitFor(`${jobId} to end`, () => ended(client, jobId), BOUND_MS);
    expect(await client.verifyLedger()).toMatchObject({ ok: true });
    const again = await client.job(first);
    for (const [i, { url, sha256 }] of (again.outputs ?? []).entries()) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
      expect(sha256).toBe(outputs?.[i]?.sha256);
    }
    expect(again.outputs).toHaveLength(1);
    const page = await fetch(`${access.base_url}/credits`, { headers: { cookie }, redirect: "manual" });
    expect(page.status).toBe(200);
    await atelier(found, "audit");
  },
);
