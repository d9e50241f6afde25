// An edge in core's process calls core without a socket.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createTokenVerifier } from "../../core/kernel/services/verify-token.ts";
import { startHttp } from "../../edge/role.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { loadTrustedKeys } from "../../runtime/keys/service-token.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { serveJobs } from "../support/served.ts";

test("a gateway in core's process gets its responses without a listening port, once core is up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-test-inner-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = loadConfig({ ATELIER_DATA_DIR: folder, ATELIER_HTTP_PORT: String(await freePort()) });
  const served = await serveJobs({}, { verifyToken: await createTokenVerifier(loadTrustedKeys(config)) });
  const up = Promise.withResolvers<typeof served.openCalls>();
  const face = await startHttp("gateway", [], {
    config,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    coreAddress: "127.0.0.1:1",
    innerCore: up.promise,
  });
  onTestFinished(() => face.close());
  await expect(face.ready()).rejects.toMatchObject({ code: "service_unavailable" });
  up.resolve(served.openCalls);
  expect(await face.ready()).toBe(true);
});
