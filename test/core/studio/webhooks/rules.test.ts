import { describe, expect, test } from "vitest";
import {
  ATTEMPT_WAITS_MS,
  type AttemptOutcome,
  countResend,
  decideNext,
  decideResend,
  checkAnswer,
  MAX_REDELIVERIES_A_MINUTE,
  MAX_REDELIVERIES_OF_JOB,
  MAX_RETRY_AFTER_MS,
  parseRetryAfter,
  endpointOf,
  summarise,
} from "../../../../core/studio/webhooks/rules.ts";
import { combinations, frozen } from "../../../fixtures/docs.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const after = (ms: number) => ({ status: "pending", nextAttemptAt: new Date(now.getTime() + ms) });
const ended = (status: string) => ({ status, nextAttemptAt: null });
const failure: AttemptOutcome = { httpStatus: 500, error: "HTTP 500" };

test("[CALL-10] the retry schedule waits 5 s, 30 s, 2 min, 10 min, 1 h and 6 h after failures, then gives up", () => {
  const waits = [5, 30, 120, 600, 3600, 21_600].map((seconds) => seconds * 1000);
  expect(waits.map((_, i) => decideNext(i + 1, failure, now, 0))).toEqual(waits.map(after));
  expect(decideNext(7, failure, now, 0)).toEqual(ended("failed"));
});

describe("the response to an attempt", () => {
  test("may ask for a wait, in seconds or until a date", () => {
    expect(parseRetryAfter("120", now)).toBe(120_000);
    expect(parseRetryAfter("Sun, 01 Mar 2026 12:10:00 GMT", now)).toBe(600_000);
    expect(parseRetryAfter("Sun, 01 Mar 2026 11:00:00 GMT", now)).toBe(0);
  });

  test("is ignored in its wait when that is malformed", () => {
    for (const header of [undefined, "", "soon", "-5", "1.5", "2026-03-02", "Someday"])
      expect(parseRetryAfter(header, now)).toBeUndefined();
  });
});

test("an endpoint is scheme, host and port", () => {
  expect(endpointOf("https://Example.com:443/a?b#c")).toBe("https://example.com");
  expect(endpointOf("http://example.com:8080/")).toBe("http://example.com:8080");
});

describe("the result of an attempt", () => {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  const rows = combinations({
    number: numbers,
    httpStatus: [null, 204, 302, 404, 410, 500],
    retryAfterMs: [undefined, 0, 1, 30_000_000, MAX_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS + 1],
    random: [0, 1],
  });
  test(`is decided for every attempt, response and Retry-After (${rows.length} cases)`, () => {
    expect(MAX_RETRY_AFTER_MS).toBe(86_400_000);
    for (const { number, httpStatus, retryAfterMs, random } of rows) {
      const delivers = httpStatus === 204;
      const outcome = frozen({ httpStatus, error: delivers ? null : "no", retryAfterMs });
      const scheduled = (ATTEMPT_WAITS_MS[number] ?? 0) * (1 + random / 5);
      const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
      const wanted = delivers
        ? ended("delivered")
        : number >= 7 || httpStatus === 410
          ? ended("failed")
          : after(Math.max(scheduled, asked));
      expect([number, outcome, decideNext(number, outcome, now, random)]).toEqual([number, outcome, wanted]);
    }
  });

  test("of every status is a success for 2xx alone", () => {
    for (let status = 100; status < 600; status++) {
      const answer = checkAnswer(status, "7", now);
      const hundreds = Math.floor(status / 100);
      if (hundreds === 2) expect(answer).toEqual({ httpStatus: status, error: null });
      else
        expect(answer).toEqual({
          httpStatus: status,
          error: hundreds === 3 ? `HTTP ${status}: redirects are not followed` : `HTTP ${status}`,
          retryAfterMs: 7_000,
        });
    }
  });
});

describe("requesting a resend", () => {
  const STATUSES = ["pending", "delivered", "failed"] as const;
  /** Every list of up to three deliveries. */
  const lists = [1, 2, 3].reduce<(typeof STATUSES)[number][][]>(
    (all, length) => [
      ...all,
      ...all
        .filter((list) => list.length === length - 1)
        .flatMap((list) => STATUSES.map((status) => [...list, status])),
    ],
    [[]],
  );

  test.each(lists.map((list) => ({ list })))("after $list", ({ list }) => {
    const pending = list.indexOf("pending");
    const deliveries = frozen(list.map((status, i) => ({ status, attempt_count: i + 1 })));
    expect(decideResend(deliveries)).toEqual(pending < 0 ? { kind: "repeat" } : { kind: "hasten", pending });
    expect(summarise(deliveries)).toEqual({
      status: list.includes("delivered") ? "delivered" : pending >= 0 ? "pending" : "failed",
      attempts: [0, 1, 3, 6][list.length],
    });
  });

  test("is refused after ten resends, unless one is still pending", () => {
    const failed = (count: number) => Array.from({ length: count }, () => ({ status: "failed" as const }));
    expect(decideResend(failed(MAX_REDELIVERIES_OF_JOB))).toEqual({ kind: "repeat" });
    expect(decideResend(failed(MAX_REDELIVERIES_OF_JOB + 1))).toEqual({ kind: "exhausted" });
    const last = [...failed(MAX_REDELIVERIES_OF_JOB + 1), { status: "pending" as const }];
    expect(decideResend(last)).toEqual({ kind: "hasten", pending: MAX_REDELIVERIES_OF_JOB + 1 });
  });

  test("is limited per minute", () => {
    expect(countResend(undefined, now)).toEqual({ since: now, count: 1 });
    const rows = combinations({ agoMs: [0, 1, 59_000, 59_999, 60_000, 60_001], count: [1, 29, 30, 31] });
    for (const { agoMs, count } of rows) {
      const window = frozen({ since: new Date(now.getTime() - agoMs), count });
      const wanted =
        agoMs >= 60_000
          ? { since: now, count: 1 }
          : count < MAX_REDELIVERIES_A_MINUTE
            ? { since: window.since, count: count + 1 }
            : { waitSeconds: Math.ceil((60_000 - agoMs) / 1_000) };
      expect([agoMs, count, countResend(window, now)]).toEqual([agoMs, count, wanted]);
    }
  });
});
