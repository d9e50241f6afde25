import { expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import { createPermits } from "../../runtime/permits.ts";

const CAPS = {
  job: { most: 2, words: "open for this job" },
  account: { most: 3, words: "open for this account" },
};

function refusal(take: () => unknown): AppError {
  try {
    take();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("nothing was refused");
}

test("permits are taken for all subjects together or for none", () => {
  const refused: string[] = [];
  const places = createPermits(CAPS, (name) => refused.push(name));
  const leave = places.take({ job: "a", account: "x" });
  places.take({ job: "a", account: "x" });
  const full = refusal(() => places.take({ job: "a", account: "x" }));
  expect([full.code, full.message, full.retryAfterSeconds]).toEqual([
    "rate_limited",
    "There are already 2 open for this job, which is the most there may be.",
    5,
  ]);
  // The refused one took no permit of the account, which has one left.
  places.take({ job: "b", account: "x" });
  expect(refusal(() => places.take({ job: "c", account: "x" })).message).toContain("3 open for this account");
  expect(refused).toEqual(["job", "account"]);
  leave();
  // A second return has no effect.
  leave();
  places.take({ job: "c", account: "x" });
  expect(refusal(() => places.take({ job: "d", account: "x" })).code).toBe("rate_limited");
  places.take({ job: "d", account: "y" });
});

test("returned permits leave nothing in memory", () => {
  const places = createPermits(CAPS);
  const leaves = ["a", "b", "c"].map((job) => places.take({ job, account: "x" }));
  expect([places.subjects("job"), places.subjects("account")]).toEqual([3, 1]);
  for (const leave of leaves) leave();
  expect([places.subjects("job"), places.subjects("account")]).toEqual([0, 0]);
});
