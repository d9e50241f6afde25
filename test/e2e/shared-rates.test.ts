// Two HTTP ports of one service, each with gateway and tool endpoint, that share one Redis.
import { expect, onTestFinished, test } from "vitest";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { startOwnRedis } from "../support/redis.ts";
import { startWholeService } from "../support/whole-service.ts";

test("[LIM-03] two gateways with one Redis share rate limits, over REST and tools", async () => {
  const { url } = await startOwnRedis();
  const env = {
    ATELIER_RATE_LIMITS: "on",
    ATELIER_REDIS_URL: url,
    ATELIER_RATE_CATALOG: "3",
    ATELIER_RATE_FAILED_KEYS: "2",
  };
  const one = await startWholeService({ worker: false, env });
  onTestFinished(() => one.close());
  const other = await one.openEdge({});

  const plans = [one, other, one, other, one].map((face) => () => face.call("/api/plans"));
  const statuses: number[] = [];
  for (const ask of plans) statuses.push((await ask()).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);

  const bad = { key: generateApiKey("gen") };
  expect((await one.call("/api/mcp", { ...bad, method: "POST", body: {} })).status).toBe(401);
  expect((await other.call("/api/jobs", bad)).status).toBe(401);
  for (const face of [one, other]) {
    const refused = await face.call("/api/jobs", bad);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit-policy")).toBe('"failedKeys";q=2;w=60');
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }
});
