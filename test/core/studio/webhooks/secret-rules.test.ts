import { describe, expect, test } from "vitest";
import {
  createSecret,
  firstSecret,
  rotationOf,
  type Secrets,
  signingSecrets,
  switchSecret,
} from "../../../../core/studio/webhooks/secret-rules.ts";

const HOUR_MS = 60 * 60 * 1000;
const START = new Date("2026-01-01T00:00:00Z");
const after = (hours: number) => new Date(START.getTime() + hours * HOUR_MS);

const first = createSecret(null, "one", START);
const rotating = createSecret(first, "two", START);

describe("the secret of each signature", () => {
  test.each<[string, Secrets, number, string, string[]]>([
    ["a secret that was never shown", firstSecret("zero", false), 0, "zero", ["zero"]],
    ["the first secret of its owner", first, 0, "one", ["one"]],
    ["after the first step", rotating, 0, "one", ["two", "one"]],
    ["until just before the automatic switch", rotating, 23.99, "one", ["two", "one"]],
    ["at the automatic switch", rotating, 24, "two", ["two", "one"]],
    ["until just before the old secret is dropped", rotating, 47.99, "two", ["two", "one"]],
    ["when the old secret is dropped", rotating, 48, "two", ["two"]],
    ["after the second step", switchSecret(rotating, after(1)) ?? first, 1, "two", ["two", "one"]],
    ["a day after the second step", switchSecret(rotating, after(1)) ?? first, 25, "two", ["two"]],
    // The new secret was lost before it was used: endpoints still have the old one.
    [
      "after the first step was repeated",
      createSecret(rotating, "three", after(1)),
      1,
      "one",
      ["three", "one"],
    ],
    [
      "after a rotation that started once one had switched",
      createSecret(rotating, "three", after(25)),
      25,
      "two",
      ["three", "two"],
    ],
  ])("%s", (_name, secrets, hours, plain, standard) => {
    expect(signingSecrets(secrets, after(hours))).toEqual({ plain, standard });
  });

  test("a rotation from before there were two steps changes both at its end", () => {
    const before: Secrets = { secret: "two", previous: "one", previous_until: after(24), revealed: true };
    expect(signingSecrets(before, after(23))).toEqual({ plain: "one", standard: ["two", "one"] });
    expect(signingSecrets(before, after(24))).toEqual({ plain: "two", standard: ["two"] });
  });
});

test("a secret that was never shown is replaced without an overlap", () => {
  expect(createSecret(firstSecret("zero", false), "one", START)).toEqual(firstSecret("one", true));
});

test("the second step is due between the first one and the switch, and at no other time", () => {
  expect(switchSecret(null, START)).toBeUndefined();
  expect(switchSecret(first, START)).toBeUndefined();
  expect(rotationOf(rotating, START)).toEqual({ switchesAt: after(24), previousUntil: after(48) });
  const switched = switchSecret(rotating, after(3));
  expect(switched && rotationOf(switched, after(3))).toEqual({ switchesAt: null, previousUntil: after(27) });
  expect(switched && switchSecret(switched, after(3))).toBeUndefined();
  expect(switchSecret(rotating, after(24))).toBeUndefined();
});
