// The verifier in Go says of the same files and logs what the one in Python says.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { useFolder } from "../support/shared.ts";
import { BUILD_BOUND_MS, buildVerifier, runVerifier, whyNoVerifier } from "../support/verify-go.ts";
import { openVerifyCases } from "./verify-cases.ts";

const problem = whyNoVerifier();

describe.skipIf(problem)(`the verifier in Go${problem ? ` (skipped: ${problem})` : ""}`, () => {
  let made: Awaited<ReturnType<typeof openVerifyCases>>;
  const work = useFolder();
  let program: string;
  beforeAll(async () => {
    program = await buildVerifier(work());
    made = await openVerifyCases(work());
  }, BUILD_BOUND_MS);
  afterAll(() => {
    made?.close();
  });

  test("checks files and the log, and names each forgery", async () => {
    for (const { arguments: args, wrong, says } of made.cases) {
      const { code, said } = await runVerifier(program, args);
      const refusals = said.split("\n").filter((line) => line.startsWith("WRONG"));
      expect(code, said).toBe(wrong === null ? 0 : 1);
      expect(refusals.join("\n"), said).toMatch(new RegExp(wrong ?? "^$", "i"));
      for (const words of says) expect(said).toContain(words);
    }
  });

  test("reads each entry of a log, and finds one that is not in its tile", async () => {
    const [whole] = made.cases;
    const read = async (log: string) =>
      runVerifier(program, [...(whole?.arguments ?? []), "--log", made.urlOf(log), "--entries"]);
    const good = await read("good");
    expect(good.said).toContain("the log now has the root that was signed, and states no total");
    expect(good.said).toContain("the log now still has ledger entry 3 of acc_1 (by the tiles of the log)");
    expect(good.code).toBe(0);
    const { code, said } = await read("entry");
    expect([code, said]).toEqual([1, expect.stringContaining("entry 257 is not the one in its tile")]);
    const silent = await read("silent");
    expect([silent.code, silent.said]).toEqual([1, expect.stringContaining("entry 271 is not the total")]);
  });
});
