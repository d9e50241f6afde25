// Processor time as V8's profiler reports it.
import { expect, test } from "vitest";
import { hottest } from "../../scripts/flame.ts";

const frame = (functionName: string, url = "") => ({ functionName, url, lineNumber: 6 });

test("hottest › names functions with at least 3% of the time, without idling ones", () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame("(root)") },
      { id: 2, callFrame: frame("(idle)") },
      { id: 3, callFrame: frame("accept", "file:///core/jobs/accept.ts") },
      { id: 4, callFrame: frame("", "node:crypto") },
      // The same function, called from another place.
      { id: 5, callFrame: frame("", "node:crypto") },
      { id: 6, callFrame: frame("rare") },
    ],
    samples: [2, 3, 4, 5, 6],
    timeDeltas: [9_000_000, 280_000, 400_000, 300_000, 20_000],
  };
  expect(hottest(JSON.stringify(profile))).toEqual({
    seconds: 1,
    functions: [
      { name: "(anonymous) node:crypto:7", share: 0.7 },
      { name: "accept jobs/accept.ts:7", share: 0.28 },
    ],
  });
});
