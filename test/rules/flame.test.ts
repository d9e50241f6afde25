// Where processor time went, as the profilers tell it, and as it is drawn.
import { expect, test } from "vitest";
import { drawFlames } from "../../scripts/flame/draw.ts";
import { hottest, readCpuProfile, readPerf, STEP } from "../../scripts/flame/stacks.ts";

const frame = (functionName: string, url = "") => ({ functionName, url, lineNumber: 6 });

test("V8's samples become stacks with what each took, and time in which nothing ran is none", () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame("(root)"), children: [2, 3] },
      { id: 2, callFrame: frame("(idle)") },
      { id: 3, callFrame: frame("accept", "file:///core/jobs/accept.ts"), children: [4] },
      { id: 4, callFrame: frame("", "node:crypto") },
    ],
    samples: [2, 3, 4, 4],
    timeDeltas: [1_000, 20, 5, 6],
  };
  expect(readCpuProfile(JSON.stringify(profile))).toEqual(
    new Map([
      ["accept jobs/accept.ts:7", 20],
      [`accept jobs/accept.ts:7${STEP}(anonymous) node:crypto:7`, 11],
    ]),
  );
});

test("perf's samples are told apart by process, whatever its threads are called", async () => {
  const text = `
conn 12 4711
\t    55d1 mongo::insert(a, b)
\t    55d0 start_thread

mongod  4711
\t    55d2 __wt_evict

node  9
\t    1 v8::run
`;
  const processes = await readPerf(text.trimStart().split("\n"));
  expect(processes.get(4711)).toEqual({
    names: new Set(["conn 12", "mongod"]),
    stacks: new Map([
      [`start_thread${STEP}mongo::insert(a, b)`, 1],
      ["__wt_evict", 1],
    ]),
  });
  expect([...processes.keys()]).toEqual([4711, 9]);
});

test("what is hot is what took the time itself, in whatever it was called", () => {
  const stacks = new Map([
    [`a${STEP}b`, 50],
    [`c${STEP}b`, 20],
    ["a", 29],
    ["d", 1],
  ]);
  expect(hottest(stacks, 0.03)).toEqual([
    { name: "b", share: 0.7 },
    { name: "a", share: 0.29 },
  ]);
});

test("each function is as wide as its share, and its name is text and never markup", () => {
  const svg = drawFlames(
    "all",
    new Map([
      [`outer${STEP}<inner>`, 3],
      ["outer", 1],
    ]),
  );
  const widths = [...svg.matchAll(/<title>(.+?) \((.+?) %\)<\/title><rect .*?width="(.+?)"/g)].map((match) =>
    match.slice(1),
  );
  expect(widths).toEqual([
    ["all", "100.0", "1600.0"],
    ["outer", "100.0", "1600.0"],
    ["&lt;inner>", "75.0", "1200.0"],
  ]);
});
