import { beforeEach, describe, expect, test } from "vitest";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { apiKeyKind, hashApiKey, maskApiKey } from "../../../../runtime/keys/api-key.ts";
import { createCustomer } from "../../../support/app.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";

const core = useTestCore();
const client = sharedByTests(async () => core.client());

let accountId: string;
/** The signed-in person, as the gateway names the caller. */
let person: Caller;
let withKey: Caller;
beforeEach(async () => {
  const customer = await createCustomer(core.app);
  accountId = customer.accountId;
  withKey = customer.caller;
  person = { kind: "account", accountId, source: "app" };
});

describe("a signed-in person", () => {
  test("creates a key, lists it without its secret, and revokes it", async () => {
    const made = await client.accounts.CreateKey(
      { name: "laptop", scope: "read", expires_at: "2999-01-01T00:00:00+01:00" },
      { caller: person },
    );
    expect(apiKeyKind(made.secret)).toBe("gen");
    expect(made.key).toEqual({
      key_id: expect.stringMatching(/^key_/),
      name: "laptop",
      scope: "read",
      masked: maskApiKey(made.secret),
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      expires_at: "2998-12-31T23:00:00.000Z",
      confirm_raised: null,
      caps: [],
    });
    const { keys } = await client.accounts.ListKeys({}, { caller: person });
    expect(keys[0]).toEqual(made.key);
    expect(JSON.stringify(keys)).not.toContain(made.secret);

    const caller: Caller = { kind: "key", keySha256: hashApiKey(made.secret), source: "api" };
    expect(await client.accounts.Authenticate({ required_scope: "read" }, { caller })).toEqual({
      account_id: accountId,
      key_id: made.key?.key_id,
      scope: "read",
      plan: "pro",
    });
    const revoked = await client.accounts.RevokeKey({ key_id: made.key?.key_id ?? "" }, { caller: person });
    expect(revoked).toEqual({ ...made.key, revoked_at: expect.any(String) });
    expect(
      await refusalOf(client.accounts.Authenticate({ required_scope: "read" }, { caller })),
    ).toMatchObject({
      code: "invalid_key",
    });
  });

  test.each(["2030-02-31T00:00:00Z", "2030-01-01", "2030-01-01T00:00:00", "1e3", "0"])(
    "is refused a key that expires at %j, which is not RFC 3339",
    async (expires_at) => {
      expect(
        await refusalOf(
          client.accounts.CreateKey({ name: "a", scope: "read", expires_at }, { caller: person }),
        ),
      ).toMatchObject({ code: "invalid_request", issues: [{ path: "expires_at" }] });
    },
  );

  test("[CALL-11] rotates the webhook secret in two steps, the second automatic after a day", async () => {
    const first = await client.accounts.RotateCallbackSecret({}, { caller: person });
    expect(first).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      switches_at: "",
      previous_until: "",
    });
    const second = await client.accounts.RotateCallbackSecret({}, { caller: person });
    expect(second.secret).not.toBe(first.secret);
    const dayMs = 24 * 3_600_000;
    const switchesInMs = Date.parse(second.switches_at) - Date.now();
    expect(switchesInMs).toBeGreaterThan(dayMs - 3_600_000);
    expect(switchesInMs).toBeLessThanOrEqual(dayMs);
    expect(Date.parse(second.previous_until) - Date.parse(second.switches_at)).toBe(dayMs);
    expect(await client.accounts.SwitchCallbackSecret({}, { caller: person })).toMatchObject({
      known: true,
      switches_at: "",
    });
    expect(await refusalOf(client.accounts.SwitchCallbackSecret({}, { caller: person }))).toMatchObject({
      code: "invalid_request",
    });
  });

  test("a signed-in person of a suspended account is refused all key operations", async () => {
    await setAccountStatus(core.app, accountId, "suspended");
    expect(await refusalOf(client.accounts.ListKeys({}, { caller: person }))).toMatchObject({
      code: "account_suspended",
    });
  });
});

describe("a key", () => {
  test.each<[string, (asked: { caller: Caller }) => Promise<unknown>]>([
    ["make keys", (asked) => client.accounts.CreateKey({ name: "more", scope: "write" }, asked)],
    ["list keys", (asked) => client.accounts.ListKeys({}, asked)],
    ["revoke keys", (asked) => client.accounts.RevokeKey({ key_id: "key_x" }, asked)],
    ["rotate the webhook secret", (asked) => client.accounts.RotateCallbackSecret({}, asked)],
    ["switch the webhook secret", (asked) => client.accounts.SwitchCallbackSecret({}, asked)],
  ])("may not %s, with any scope", async (_what, call) => {
    expect(await refusalOf(call({ caller: withKey }))).toMatchObject({
      code: "insufficient_scope",
      message: "Keys, secrets and sessions are managed by the signed-in user, not with a key.",
    });
    expect(await refusalOf(call({ caller: { kind: "none" } }))).toMatchObject({ code: "missing_key" });
  });

  test("needs an existing scope", async () => {
    expect(
      await refusalOf(client.accounts.Authenticate({ required_scope: "admin" }, { caller: withKey })),
    ).toMatchObject({ code: "invalid_request", issues: [{ path: "required_scope" }] });
  });
});
