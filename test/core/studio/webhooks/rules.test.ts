import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createEndpoints, type Endpoints } from "../../../../core/studio/webhooks/endpoints.ts";
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
import {
  createSecret,
  firstSecret,
  rotationOf,
  type Secrets,
  signingSecrets,
  switchSecret,
} from "../../../../core/studio/webhooks/secret-rules.ts";
import { signingHeaders } from "../../../../core/studio/webhooks/sign.ts";
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

const secret = `whsec_${Buffer.from("a secret of exactly thirty-two b").toString("base64")}`;
const older = `whsec_${Buffer.from("another one of thirty-two bytes!").toString("base64")}`;
const body = Buffer.from(JSON.stringify({ event: "job.completed", text: "grüße 🎨" }));
const at = new Date();
const message = { deliveryId: "dlv_1", event: "job.completed" as const, body, at };

const plain = (key: string) => `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
const verifies = (key: string, headers: Record<string, string>): boolean => {
  try {
    new Webhook(key).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

describe("a signed webhook", () => {
  test("[CALL-04] names its event and delivery", () => {
    expect(signingHeaders(message, { plain: secret, standard: [secret] })).toMatchObject({
      "x-service-event": "job.completed",
      "x-service-delivery": "dlv_1",
      "webhook-id": "dlv_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    });
  });

  test("[CALL-04] [CALL-07] is verified by a plain HMAC with the secret as shown, and by Standard Webhooks", () => {
    const headers = signingHeaders(message, { plain: secret, standard: [secret] });
    expect(headers["x-service-signature"]).toBe(plain(secret));
    expect(verifies(secret, headers)).toBe(true);
    expect(verifies(older, headers)).toBe(false);
    expect(() => new Webhook(secret).verify(Buffer.concat([body, Buffer.from(" ")]), headers)).toThrow(
      "No matching signature found",
    );
  });

  test("carries a signature of each given secret, and one where only one fits", () => {
    const headers = signingHeaders(message, { plain: older, standard: [secret, older] });
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(verifies(secret, headers)).toBe(true);
    expect(verifies(older, headers)).toBe(true);
    expect(headers["x-service-signature"]).toBe(plain(older));
  });
});

const QUICK_MS = 20;
const SLOW_MS = 10_000;

function create(): Endpoints {
  return createEndpoints({ total: 16, perEndpoint: 4 });
}

function start(receivers: Endpoints, host: string): number {
  let started = 0;
  while (receivers.freeFor(host) > 0) {
    receivers.started(host);
    started += 1;
  }
  return started;
}

function learn(receivers: Endpoints, host: string, durationMs: number): void {
  receivers.started(host);
  receivers.ended(host, durationMs);
}

describe("slots for attempts", () => {
  test("are one for an unknown endpoint, and the full number once it has answered quickly", () => {
    const receivers = create();
    expect(start(receivers, "a")).toBe(1);
    receivers.ended("a", QUICK_MS);
    expect(start(receivers, "a")).toBe(4);
  });

  test("are reserved for quick endpoints, for any number of unknown and slow ones", () => {
    const receivers = create();
    learn(receivers, "quick", QUICK_MS);
    for (let i = 0; i < 20; i++) learn(receivers, `slow${i}`, SLOW_MS);
    let slow = 0;
    for (let i = 0; i < 20; i++) slow += start(receivers, `slow${i}`);
    expect(slow).toBe(8);
    let unknown = 0;
    for (let i = 0; i < 20; i++) unknown += start(receivers, `unknown${i}`);
    expect(unknown).toBe(4);
    expect(receivers.wanted()).toEqual({ only: ["quick"] });
    expect(start(receivers, "quick")).toBe(4);
    expect(receivers.free()).toBe(0);
  });

  test("exclude endpoints at their limit from the next query", () => {
    const receivers = create();
    learn(receivers, "quick", QUICK_MS);
    start(receivers, "quick");
    receivers.started("unknown");
    expect(receivers.wanted()).toEqual({ without: ["quick", "unknown"] });
    receivers.ended("quick");
    expect(receivers.wanted()).toEqual({ without: ["unknown"] });
  });

  test("are unchanged by an attempt that was not made", () => {
    const receivers = create();
    receivers.started("a");
    receivers.ended("a");
    expect(receivers.free()).toBe(16);
    expect(start(receivers, "a")).toBe(1);
  });
});

const HOUR_MS = 60 * 60 * 1000;
const START = new Date("2026-01-01T00:00:00Z");
const afterHours = (hours: number) => new Date(START.getTime() + hours * HOUR_MS);

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
    ["after the second step", switchSecret(rotating, afterHours(1)) ?? first, 1, "two", ["two", "one"]],
    ["a day after the second step", switchSecret(rotating, afterHours(1)) ?? first, 25, "two", ["two"]],
    // The new secret was lost before it was used: endpoints still have the old one.
    [
      "after the first step was repeated",
      createSecret(rotating, "three", afterHours(1)),
      1,
      "one",
      ["three", "one"],
    ],
    [
      "after a rotation that started once one had switched",
      createSecret(rotating, "three", afterHours(25)),
      25,
      "two",
      ["three", "two"],
    ],
  ])("%s", (_name, secrets, hours, plain, standard) => {
    expect(signingSecrets(secrets, afterHours(hours))).toEqual({ plain, standard });
  });

  test("a rotation from before there were two steps changes both at its end", () => {
    const before: Secrets = {
      secret: "two",
      previous: "one",
      previous_until: afterHours(24),
      revealed: true,
    };
    expect(signingSecrets(before, afterHours(23))).toEqual({ plain: "one", standard: ["two", "one"] });
    expect(signingSecrets(before, afterHours(24))).toEqual({ plain: "two", standard: ["two"] });
  });
});

test("a secret that was never shown is replaced without an overlap", () => {
  expect(createSecret(firstSecret("zero", false), "one", START)).toEqual(firstSecret("one", true));
});

test("the second step is due between the first one and the switch, and at no other time", () => {
  expect(switchSecret(null, START)).toBeUndefined();
  expect(switchSecret(first, START)).toBeUndefined();
  expect(rotationOf(rotating, START)).toEqual({ switchesAt: afterHours(24), previousUntil: afterHours(48) });
  const switched = switchSecret(rotating, afterHours(3));
  expect(switched && rotationOf(switched, afterHours(3))).toEqual({
    switchesAt: null,
    previousUntil: afterHours(27),
  });
  expect(switched && switchSecret(switched, afterHours(3))).toBeUndefined();
  expect(switchSecret(rotating, afterHours(24))).toBeUndefined();
});
