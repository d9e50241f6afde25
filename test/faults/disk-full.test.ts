// The disk of the embedded database fills up: one log line, requests without the database are served, and free space is enough to recover.
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CatalogPageResource } from "../../proto/resources/product.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { freeMb } from "../../runtime/ops/disk-space.ts";
import { type ServiceProcess, startEntry, startService } from "../../scripts/testbed/processes.ts";
import { waitFor } from "../support/wait-for.ts";

/** More than mongod uses before there are data, of which a part is its journal. */
const DISK_MB = 640;
/** mongod notices at a checkpoint, here more often than usually. */
const CHECKPOINT_SECONDS = 2;
const NOTICE_MS = 240_000;
const BACK_MS = 120_000;
/** Less than is free after the start, and more than mongod needs. */
const MIN_FREE_MB = 150;
const LITTLE_MB = 130;

const folder = mkdtempSync(join(tmpdir(), "atelier-disk-"));
const isMounted = mountSmallDisk(folder);
const mongod = `${folder}-mongod`;
let service: ServiceProcess;

/** A separate disk in memory, where this user may mount one. */
function mountSmallDisk(at: string): boolean {
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", at], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The usual embedded mongod, with more checkpoints. */
async function writeMongod(): Promise<void> {
  const binary = await findMongod({ path: loadConfig().mongodPath, say: () => {} });
  const lines = [
    "#!/bin/sh",
    `for word; do shift; [ "$option" = --syncdelay ] && word=${CHECKPOINT_SECONDS}; option=$word; set -- "$@" "$word"; done`,
    `exec '${binary}' "$@"`,
  ];
  writeFileSync(mongod, `${lines.join("\n")}\n`, { mode: 0o755 });
}

/** Fills the disk, except for this many bytes. */
function fillDisk(leaveMb = 0): string {
  const path = join(folder, "filler");
  const file = openSync(path, "w");
  try {
    for (let chunk = Buffer.alloc(1024 * 1024, 1); chunk.length > 0;) {
      if (leaveMb > 0 && freeMb(folder) <= leaveMb) break;
      try {
        writeSync(file, chunk);
      } catch {
        chunk = chunk.subarray(0, Math.floor(chunk.length / 2));
      }
    }
  } finally {
    closeSync(file);
  }
  return path;
}

afterAll(async () => {
  await service?.stop();
  if (isMounted) execFileSync("/bin/umount", [folder]);
  for (const path of [folder, mongod]) rmSync(path, { recursive: true, force: true });
});

describe.skipIf(!isMounted)("a service on a small disk", () => {
  const dataDir = join(folder, "data");
  let baseUrl: string;
  let headers: Record<string, string>;
  const body = JSON.stringify({ modality: "image", model_slug: "atelier-canvas", prompt: "a full cellar" });
  const generate = () => fetch(`${baseUrl}/api/v1/connect/generate`, { method: "POST", headers, body });
  const get = (path: string) => fetch(baseUrl + path, { headers });
  const readyz = async () => {
    const url = `${/operations\s+(\S+)/.exec(service.stdout())?.[1]}/readyz`;
    const answer = await fetch(url);
    return { status: answer.status, ...((await answer.json()) as { ready: boolean; not_ready: string[] }) };
  };

  /** Includes paths that no gateway has served before. */
  async function expectCatalog(): Promise<void> {
    const listed = await get("/api/catalog?pageSize=3");
    expect(listed.status).toBe(200);
    const [product] = ((await listed.json()) as CatalogPageResource).data;
    const paths = [
      "/api/catalog",
      "/api/catalog?search=a&facets=category,tag,status,pricing_tier",
      "/api/catalog?page=2&pageSize=2&sort=newest",
      `/api/catalog/${product?.slug}`,
      "/",
      "/products",
      `/products/${product?.slug}`,
      "/sitemap.xml",
    ];
    const answers = await Promise.all(
      paths.map(async (path) => [path, (await fetch(baseUrl + path)).status]),
    );
    expect(answers).toEqual(paths.map((path) => [path, 200]));
  }

  beforeAll(async () => {
    await writeMongod();
    service = await startService({
      ATELIER_DATA_DIR: dataDir,
      ATELIER_MONGOD: mongod,
      ATELIER_DEMO_PRODUCTS: "5",
      ATELIER_MIN_FREE_MB: String(MIN_FREE_MB),
    });
    const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as Record<string, string>;
    baseUrl = demo["base_url"] ?? "";
    headers = { authorization: `Bearer ${demo["generation_key"]}`, "content-type": "application/json" };
  });

  test("[OPS-22] logs low space once, accepts no new jobs, serves the rest, and recovers when there is space", async () => {
    const made = (await (await generate()).json()) as { result: { job_id: string } };
    const job = (await (await get(`/api/jobs/${made.result.job_id}?wait=60`)).json()) as {
      result: { state: string; outputs: { url: string }[] };
    };
    expect(job.result.state).toBe("completed");
    const filler = fillDisk(LITTLE_MB);
    await waitFor("the line", () => service.stdout().includes("is nearly full ("), BACK_MS);
    const refused = await generate();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await refused.json()).toMatchObject({
      code: "service_unavailable",
      message: "The service takes no new jobs at the moment.",
    });
    expect(await readyz()).toMatchObject({ status: 200, ready: true, degraded: ["room for new jobs"] });
    for (const path of ["/api/credits/balance", "/api/jobs", "/api/catalog"])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect((await fetch(job.result.outputs[0]?.url ?? "")).status).toBe(200);

    rmSync(filler);
    await waitFor("new jobs to be taken", async () => (await generate()).status === 202, BACK_MS);
    expect(service.stdout().match(/is nearly full \(/g)).toHaveLength(1);
    expect(service.stdout().match(/has room again \(/g)).toHaveLength(1);
    expect(await readyz()).not.toHaveProperty("degraded");
  });

  test("logs a full disk once without repeated restarts, serves what it can, and continues when there is space", async () => {
    const balance = await (await get("/api/credits/balance")).json();
    const filler = fillDisk();
    await waitFor(
      "the line",
      async () => {
        await generate().catch(() => {});
        return service.stdout().includes(`The disk of ${join(dataDir, "mongo")} is full`);
      },
      NOTICE_MS,
    );
    expect(await readyz()).toMatchObject({
      ready: false,
      not_ready: expect.arrayContaining(["room on the disk"]),
    });
    expect((await get("/openapi.json")).status).toBe(200);
    // Longer than anything is cached without a check.
    await delay(3_000);
    await expectCatalog();
    const refused = await get("/api/credits/balance");
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
    expect(service.stdout().match(/is full \(/g)).toHaveLength(1);
    expect(service.stdout()).not.toContain("starting it again");

    rmSync(filler);
    await waitFor("mongod to be back", () => service.stdout().includes("mongod is back"), BACK_MS);
    await waitFor("the service to be ready", async () => (await readyz()).ready, BACK_MS);
    const after = (await (await get("/api/credits/balance")).json()) as { result: { balance: number } };
    expect(after.result.balance).toBeLessThanOrEqual((balance as typeof after).result.balance);
    expect((await get("/api/jobs")).status).toBe(200);
  }, 600_000);

  test("logs one line when it starts on a full disk", async () => {
    await service.stop();
    const filler = fillDisk();
    const late = startEntry("scripts/start.ts", { ATELIER_DATA_DIR: dataDir, ATELIER_MONGOD: mongod });
    expect(await late.ended).toBe(1);
    expect(late.stderr()).toMatch(/^The disk .*is full.* Make room, then start again\.\n$/);
    rmSync(filler);
  });
});
