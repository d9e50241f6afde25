import { expect, test } from "vitest";
import { preferredWait } from "../../gateway/http/prefer.ts";

test.each([
  ["wait=10", 10],
  ["WAIT=10", 10],
  ["wait = 10", 10],
  ['wait="10"', 10],
  ["respond-async, wait=5", 5],
  ["wait=5, respond-async", 5],
  ["return=minimal; x=1, wait=7; y", 7],
  ['foo="a, wait=3", wait=9', 9],
  ["wait=1", 1],
  ["wait=60", 60],
  // Above the maximum; and as Replicate's clients send it.
  ["wait=600", 60],
  ["wait", 60],
  // The first one counts.
  ["wait=2, wait=9", 2],
])("Prefer: %s waits", (header, seconds) => expect(preferredWait(header)).toBe(seconds));

test.each([
  undefined,
  "",
  "respond-async",
  "wait=0",
  "wait=-1",
  "wait=1.5",
  "wait=soon",
  "wait=5s",
  "waits=5",
  "a=wait=5",
  ",,",
  '"wait=5"',
  "x".repeat(5_000),
  `${'"'.repeat(2_000)},wait`,
])("Prefer: %s does not wait", (header) => expect(preferredWait(header)).toBeUndefined());
