// Tables of how long links and sessions are valid, with times on both sides of each limit.
import { describe, expect, test } from "vitest";
import {
  countWithin,
  EMAIL_QUOTAS,
  endOf,
  firstName,
  idleSince,
  isFresh,
  isLiveSession,
  isNewBrowser,
  isUsableLink,
  minuteOf,
  NETWORK_QUOTAS,
  newLink,
  newSession,
} from "../../../../core/identity/sessions/rules.ts";
import type { SessionDoc } from "../../../../core/identity/sessions/store.ts";
import { at, combinations, frozen, NOW } from "../../../fixtures/docs.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const TERMS = { sessionDays: 30, sessionIdleDays: 14 };
const TOKEN = "ab".repeat(32);
const BROWSER = { userAgent: "Firefox/130.0", network: "192.0.2.0/24" };
const session = (change: Partial<SessionDoc> = {}): SessionDoc =>
  frozen({
    ...newSession({ sessionId: "ses_1", accountId: "acc_1", browser: BROWSER }, TERMS, NOW),
    ...change,
  });

describe("a sign-in link", () => {
  test("is valid for 15 minutes, once", () => {
    const link = newLink(" Ada@Example.com ", { tokenSha256: TOKEN }, NOW);
    expect(link).toEqual({
      _id: TOKEN,
      email: "ada@example.com",
      created_at: NOW,
      expires_at: at(15 * MINUTE_MS),
      used_at: null,
    });
    for (const { used_at, ms } of combinations({
      used_at: [null, NOW],
      ms: [0, 15 * MINUTE_MS - 1, 15 * MINUTE_MS],
    }))
      expect(isUsableLink({ ...link, used_at }, at(ms))).toBe(used_at === null && ms < 15 * MINUTE_MS);
    expect(isUsableLink(null, NOW)).toBe(false);
  });

  test("needs an e-mail address and a digest", () => {
    for (const { email, token } of combinations({
      email: ["a@b.co", "ada"],
      token: [TOKEN, "", TOKEN.toUpperCase(), `${TOKEN}a`],
    })) {
      const paths = [...(email === "ada" ? ["email"] : []), ...(token === TOKEN ? [] : ["token_sha256"])];
      const make = () => newLink(email, { tokenSha256: token }, NOW);
      if (paths.length === 0) expect(make).not.toThrow();
      else
        expect(make).toThrow(
          expect.objectContaining({
            code: "invalid_request",
            issues: paths.map((path) => ({ path, message: expect.any(String) })),
          }),
        );
    }
  });
});

test("a mail is sent while no quota is exhausted, and counted for the longest quota", () => {
  expect(EMAIL_QUOTAS).toEqual([
    { most: 3, withinMs: 15 * MINUTE_MS },
    { most: 10, withinMs: DAY_MS },
  ]);
  expect(NETWORK_QUOTAS).toEqual([{ most: 20, withinMs: 60 * MINUTE_MS }]);
  const recent = (count: number, agoMs: number) => Array.from({ length: count }, () => at(-agoMs));
  for (const { now, edge, earlier, old } of combinations({
    now: [0, 2, 3],
    edge: [0, 3],
    earlier: [0, 6, 7, 10],
    old: [0, 9],
  })) {
    // At the last moment of the short quota, just after it, and just after the long one.
    const sent = frozen([
      ...recent(now, 15 * MINUTE_MS - 1),
      ...recent(edge, 15 * MINUTE_MS),
      ...recent(earlier, DAY_MS - 1),
      ...recent(old, DAY_MS),
    ]);
    const room = now < 3 && now + edge + earlier < 10;
    const counted = countWithin(sent, EMAIL_QUOTAS, NOW);
    if (room)
      expect(counted).toEqual({ sent: [...sent.slice(0, now + edge + earlier), NOW], expiresAt: at(DAY_MS) });
    else expect(counted).toBeUndefined();
  }
});

describe("a session", () => {
  test("keeps a limited part of the user agent, on one line", () => {
    const browser = { userAgent: ` a\n\u001B\u2028b${"x".repeat(300)}`, network: "n".repeat(200) };
    const opened = newSession({ sessionId: "ses_1", accountId: "acc_1", browser }, TERMS, at(59_999));
    expect(opened).toEqual({
      _id: "ses_1",
      account_id: "acc_1",
      user_agent: `a b${"x".repeat(196)}`,
      network: "n".repeat(100),
      created_at: at(59_999),
      last_seen_at: NOW,
      expires_at: at(59_999 + 30 * DAY_MS),
      revoked_at: null,
    });
  });

  test("is live until it is revoked, expires, or is idle for too long", () => {
    const rows = combinations({
      revoked_at: [null, at(-1)],
      expires_at: [at(-1), NOW, at(1)],
      last_seen_at: [at(-14 * DAY_MS - 1), at(-14 * DAY_MS), at(-14 * DAY_MS + 1), NOW],
    });
    for (const row of rows) {
      const live = row.revoked_at === null && row.expires_at > NOW && row.last_seen_at > at(-14 * DAY_MS);
      expect([row, isLiveSession(session(row), TERMS, NOW)]).toEqual([row, live]);
      expect(endOf(row, TERMS) > NOW).toBe(row.expires_at > NOW && row.last_seen_at > idleSince(TERMS, NOW));
    }
    expect(isLiveSession(null, TERMS, NOW)).toBe(false);
  });

  test("is fresh for a day", () => {
    expect([0, DAY_MS - 1, DAY_MS].map((ms) => isFresh(NOW, at(ms)))).toEqual([true, true, false]);
    expect([0, 1, 59_999, 60_000].map((ms) => minuteOf(at(ms)))).toEqual([NOW, NOW, NOW, at(60_000)]);
  });

  test("is of a new browser unless the same one was used in the same network; versions are ignored", () => {
    const rows = combinations({
      user_agent: ["Firefox/130.0", "Firefox/131.2_1", "Chrome/130.0"],
      network: ["192.0.2.0/24", "other"],
    });
    for (const row of rows) {
      const known = row.user_agent.startsWith("Firefox") && row.network === BROWSER.network;
      expect([row, isNewBrowser(session(), [session(row)])]).toEqual([row, !known]);
    }
    expect(isNewBrowser(session(), [])).toBe(true);
  });
});

test("an account is named by its issuer's name, or else by its address", () => {
  const ROWS = [
    ["Ada", "ada@example.com", "Ada"],
    [" Ada\nL ", "ada@example.com", "Ada L"],
    ["", "ada@example.com", "ada"],
    [" \n ", "ada@example.com", "ada"],
    ["x".repeat(101), "ada@example.com", "x".repeat(100)],
  ] as const;
  for (const [name, email, called] of ROWS) expect(firstName(name, email)).toBe(called);
});
