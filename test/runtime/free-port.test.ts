// Ports for callers that must know theirs before they listen.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";

const RANGE = "/proc/sys/net/ipv4/ip_local_port_range";

test.skipIf(!existsSync(RANGE))(
  "a free port is outside the system's ephemeral range, so that no connection takes it before its caller listens",
  async () => {
    const [first = 0] = readFileSync(RANGE, "utf8").trim().split(/\s+/);
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    for (const port of ports) expect(port).toBeLessThan(Number(first));
  },
);
