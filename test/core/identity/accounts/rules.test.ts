// The order of refusals, checked against every combination of facts; and the rules for accounts and keys.
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import {
  checkKeyAllowed,
  checkNewKey,
  decideCaller,
  isLiveKey,
  MAX_LIVE_KEYS,
  newAccount,
  normaliseEmail,
} from "../../../../core/identity/accounts/rules.ts";
import type { AccountDoc, KeyDoc, KeyScope } from "../../../../core/identity/accounts/store.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError, type ErrorCode } from "../../../../proto/codes.ts";
import {
  accountDoc,
  at,
  combinations,
  frozen,
  keyDoc,
  NOW,
  planDoc,
  tierDoc,
} from "../../../fixtures/docs.ts";

const CALLERS: Record<string, Caller> = {
  nobody: { kind: "none" },
  program: { kind: "key", keySha256: "0".repeat(64), source: "api" },
  "member's assistant": { kind: "key", keySha256: "0".repeat(64), source: "member" },
  person: { kind: "account", accountId: "acc_1", source: "app" },
  "person at the member tools": { kind: "account", accountId: "acc_1", source: "member" },
};
const KEYS = {
  unknown: null,
  live: {},
  "not expired yet": { expires_at: at(1) },
  expired: { expires_at: NOW },
  revoked: { revoked_at: at(-1) },
};
const MEMBERSHIPS = {
  none: {},
  active: { membership: { tier: "plus", started_at: at(-9), period_end: at(1) } },
  lapsed: { membership: { tier: "plus", started_at: at(-9), period_end: NOW } },
};
const TIERS = {
  unknown: undefined,
  "with tools": tierDoc(),
  "without tools": tierDoc({ member_tools: false }),
};
const PLANS = { unknown: undefined, "with API": planDoc(), "without API": planDoc({ api: false }) };
const SCOPES = ["read", "write"] as const;

const LISTS = {
  caller: Object.keys(CALLERS),
  key: Object.keys(KEYS) as (keyof typeof KEYS)[],
  kind: ["gen", "mem"] as const,
  scope: SCOPES,
  account: ["unknown", "active", "suspended", "deleted"] as const,
  plan: Object.keys(PLANS) as (keyof typeof PLANS)[],
  membership: Object.keys(MEMBERSHIPS) as (keyof typeof MEMBERSHIPS)[],
  tier: Object.keys(TIERS) as (keyof typeof TIERS)[],
  required: SCOPES,
};
type Row = ReturnType<typeof combinations<typeof LISTS>>[number];

const withKey = ({ caller }: Row) => caller === "program" || caller === "member's assistant";
const member = ({ caller }: Row) => caller === "member's assistant";

/** The order of refusals: the first that applies is the result. */
const REFUSALS: [why: string, code: ErrorCode, applies: (row: Row) => boolean][] = [
  ["nobody calls", "missing_key", ({ caller }) => caller === "nobody"],
  ["the member tools take keys only", "missing_key", ({ caller }) => caller === "person at the member tools"],
  ["the key is unknown", "invalid_key", (row) => withKey(row) && row.key === "unknown"],
  [
    "the key is of another kind",
    "invalid_key",
    (row) => withKey(row) && row.kind !== (member(row) ? "mem" : "gen"),
  ],
  [
    "the key is dead",
    "invalid_key",
    (row) => withKey(row) && (row.key === "expired" || row.key === "revoked"),
  ],
  ["the account is unknown", "invalid_key", ({ account }) => account === "unknown"],
  ["the plan is unknown", "invalid_key", ({ plan }) => plan === "unknown"],
  ["the account is suspended", "account_suspended", ({ account }) => account === "suspended"],
  ["a person's account is gone", "not_signed_in", (row) => !withKey(row) && row.account === "deleted"],
  ["a key's account is gone", "invalid_key", ({ account }) => account === "deleted"],
  [
    "a member has no active membership",
    "membership_inactive",
    (row) => member(row) && row.membership !== "active",
  ],
  ["a member's tier has no tools", "membership_inactive", (row) => member(row) && row.tier !== "with tools"],
  [
    "a program's plan has no API",
    "plan_excludes_api",
    (row) => row.caller === "program" && row.plan === "without API",
  ],
  [
    "a member writes on a plan without API",
    "plan_excludes_api",
    (row) => member(row) && row.plan === "without API" && row.required === "write",
  ],
  [
    "a read key writes",
    "insufficient_scope",
    (row) => withKey(row) && row.scope === "read" && row.required === "write",
  ],
];

describe("decideCaller", () => {
  const rows = combinations(LISTS);

  test("[AUTH-03] [AUTH-09] returns the first refusal that applies in order, or else the caller", () => {
    const met = new Map<string, number>();
    const made = new Map<string, KeyDoc | AccountDoc | undefined>();
    // Thousands of rows from a few documents.
    const once = <T extends KeyDoc | AccountDoc | undefined>(name: string, make: () => T): T => {
      if (!made.has(name)) made.set(name, make());
      return made.get(name) as T;
    };
    for (const row of rows) {
      const key = once(`${row.key} ${row.kind} ${row.scope}`, () => {
        const changes = KEYS[row.key];
        return changes === null ? undefined : keyDoc({ kind: row.kind, scope: row.scope, ...changes });
      });
      const account = once(`${row.account} ${row.membership}`, () =>
        row.account === "unknown"
          ? undefined
          : accountDoc({ status: row.account, ...MEMBERSHIPS[row.membership] }),
      );
      const plan = PLANS[row.plan];
      const facts = frozen({ key: withKey(row) ? key : undefined, account, plan, tier: TIERS[row.tier] });
      const answer = decideCaller(CALLERS[row.caller] ?? { kind: "none" }, facts, row.required, NOW);
      const refusal = REFUSALS.find(([, , applies]) => applies(row));
      const wanted =
        refusal?.[1] ??
        (withKey(row)
          ? { account, plan, key, scope: row.scope }
          : { account, plan, key: null, scope: "write" });
      const told = answer instanceof AppError ? answer.code : answer;
      // Only wrong rows are printed, because there are thousands.
      if (!isDeepStrictEqual(told, wanted)) expect({ row, told }).toEqual({ row, told: wanted });
      met.set(refusal?.[0] ?? "allowed", (met.get(refusal?.[0] ?? "allowed") ?? 0) + 1);
    }
    // Every refusal is the result of some row, so none is unreachable.
    expect([...met.keys()].sort()).toEqual([...REFUSALS.map(([why]) => why), "allowed"].sort());
  });

  test("[AUTH-02] gives the same refusal for every kind of invalid key", () => {
    const program = CALLERS["program"] as Caller;
    const told = [
      undefined,
      keyDoc({ kind: "mem" }),
      keyDoc({ revoked_at: NOW }),
      keyDoc({ expires_at: NOW }),
    ].map((key) =>
      decideCaller(program, { key, account: accountDoc(), plan: planDoc(), tier: undefined }, "read", NOW),
    );
    for (const refusal of told) expect(refusal).toEqual(new AppError("invalid_key"));
  });
});

test("a key is live until it is revoked or expires", () => {
  const rows = combinations({ revoked_at: [null, at(-1), at(1)], expires_at: [null, at(-1), NOW, at(1)] });
  const live = rows.filter((row) => isLiveKey(keyDoc(row), NOW));
  expect(live).toEqual([
    { revoked_at: null, expires_at: null },
    { revoked_at: null, expires_at: at(1) },
  ]);
});

/** The code and paths of the thrown error. */
function refusalOf(decide: () => unknown): { code: ErrorCode; paths: string[] } | undefined {
  try {
    decide();
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, paths: error.issues?.map(({ path }) => path) ?? [] };
  }
}

/** Each name with its normalized form; null where it is refused. */
const NAMES: [string, string | null][] = [
  ["Ada", "Ada"],
  [" Ada ", "Ada"],
  ["x".repeat(100), "x".repeat(100)],
  ["x".repeat(101), null],
  ["", null],
  ["  ", null],
  ["a\nb", null],
  ["a\u001Bb", null],
  ["a\u2028b", null],
  ["a\uD800", null],
];

describe("checkNewKey", () => {
  const invalid = new Date(Number.NaN);
  const EXPIRIES: [Date | null, boolean][] = [
    [null, true],
    [at(1), true],
    [NOW, false],
    [at(-1), false],
    [invalid, false],
  ];
  const rows = combinations({ name: NAMES, scope: ["read", "write", "admin", ""], expiry: EXPIRIES });
  test(`accepts a name, a scope and a future expiry, and reports everything else (${rows.length} cases)`, () => {
    for (const { name, scope, expiry } of rows) {
      const wanted = frozen({ name: name[0], scope, expiresAt: expiry[0] });
      const paths = [
        ...(name[1] === null ? ["name"] : []),
        ...(scope === "read" || scope === "write" ? [] : ["scope"]),
        ...(expiry[1] ? [] : ["expires_at"]),
      ];
      if (paths.length === 0)
        expect(checkNewKey(wanted, NOW)).toEqual({
          name: name[1],
          scope: scope as KeyScope,
          expiresAt: expiry[0],
        });
      else expect(refusalOf(() => checkNewKey(wanted, NOW))).toEqual({ code: "invalid_request", paths });
    }
  });
});

describe("checkKeyAllowed", () => {
  const rows = combinations({
    status: ["active", "suspended"] as const,
    kind: ["gen", "mem"] as const,
    plan: Object.keys(PLANS) as (keyof typeof PLANS)[],
    live: [0, MAX_LIVE_KEYS - 1, MAX_LIVE_KEYS, MAX_LIVE_KEYS + 1],
  });
  test.each(rows)(
    "$status account, $kind key, plan $plan, $live live keys",
    ({ status, kind, plan, live }) => {
      const wanted =
        status === "suspended"
          ? "account_suspended"
          : kind === "gen" && plan !== "with API"
            ? "plan_excludes_api"
            : live >= MAX_LIVE_KEYS
              ? "key_limit_reached"
              : undefined;
      expect(refusalOf(() => checkKeyAllowed(accountDoc({ status }), kind, PLANS[plan], live))?.code).toBe(
        wanted,
      );
    },
  );
});

describe("newAccount", () => {
  const plans = new Map([["pro", planDoc()]]);
  const EMAILS: [string, string | null][] = [
    [" Ada@Example.com ", "ada@example.com"],
    ["a@b.co", "a@b.co"],
    ["", null],
    ["ada", null],
    ["ada@", null],
    ["a b@example.com", null],
    ["a@example.com, b@example.com", null],
    [`${"a".repeat(60)}@${"b.".repeat(100)}example.com`, null],
  ];
  test("has no credits or jobs; all wrong fields are reported together", () => {
    for (const { email, name, plan } of combinations({ email: EMAILS, name: NAMES, plan: ["pro", "gold"] })) {
      const wanted = frozen({ email: email[0], name: name[0], plan });
      const paths = [
        ...(email[1] === null ? ["email"] : []),
        ...(name[1] === null ? ["name"] : []),
        ...(plan === "pro" ? [] : ["plan"]),
      ];
      if (email[1] !== null && name[1] !== null && plan === "pro")
        expect(newAccount("acc_1", wanted, plans, NOW)).toEqual(
          accountDoc({ email: email[1], name: name[1], balance: 0, served_at: 0, created_at: NOW }),
        );
      else
        expect(refusalOf(() => newAccount("acc_1", wanted, plans, NOW))).toEqual({
          code: "invalid_request",
          paths,
        });
    }
  });

  test("is found by any spelling of its e-mail address", () => {
    const kept = EMAILS.flatMap(([, email]) => email ?? []);
    expect(kept.map(normaliseEmail)).toEqual(kept);
  });
});
