// How often core is called for unknown keys.
import { expect, test } from "vitest";
import { createKeyGuard } from "../../edge/http/key-guard.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { AppError } from "../../proto/codes.ts";
import { loadConfig } from "../../runtime/config/config.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";

const BURST = 2_000;
/** The limit, the first seconds, and the waiting requests. */
const MOST_ASKED = 600;

test.each([
  ["from one address above its limit", false],
  ["from browsers' pages", true],
])(
  "a burst of unknown keys %s makes a bounded number of calls to core, and a valid key is accepted afterwards",
  async (_whose, isFromPage) => {
    const limits = createRateLimits(loadConfig({ ATELIER_RATE_FAILED_KEYS: "5" }), createMetrics());
    const guard = createKeyGuard(limits);
    let asked = 0;
    const prove = (keySha256: string, isGood = false) =>
      guard.prove(
        { keySha256, address: "192.0.2.1", isFromPage },
        async () => {
          asked += 1;
          if (!isGood) throw new AppError("invalid_key");
          return "let in";
        },
        limits.enforce,
      );
    const settled = await Promise.allSettled(Array.from({ length: BURST }, (_, i) => prove(`bad ${i}`)));
    const codes = settled.map((one) =>
      one.status === "rejected" ? (one.reason as AppError).code : "let in",
    );
    expect(codes.filter((code) => code === "rate_limited").length).toBeGreaterThan(BURST - MOST_ASKED);
    expect(codes).not.toContain("let in");
    expect(asked).toBeLessThan(MOST_ASKED);
    expect(await prove("good", true)).toBe("let in");
  },
);
