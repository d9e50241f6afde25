// Support's commands: memberships, licences, member keys and the audit trail, against a real core.
import { beforeAll, describe, expect, test } from "vitest";
import { seedDemoCatalog } from "../../core/shop/catalog/demo/seed.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { createCustomer } from "../support/app.ts";
import { refusalOf } from "../support/refusal.ts";
import { sharedByTests } from "../support/shared.ts";
import { useCli } from "./run-cli.ts";

const WHY = ["--reason", "ticket 7", "--operator", "Grace Höpper"];

const { core, run, json } = useCli({ env: { ATELIER_DEMO_PRODUCTS: "20" } });
const gateway = sharedByTests(async () => core.client());
beforeAll(async () => {
  await seedDemoCatalog(core.app);
});

type Made = { secret: string; key: { key_id: string } };

const callerOf = ({ secret }: Made) =>
  ({ kind: "key", keySha256: hashApiKey(secret), source: "member" }) as const;

describe("a member", () => {
  test("is created, given a key and licences, and its membership ended", async () => {
    const { accountId } = await createCustomer(core.app);
    const set = ["membership", "set", accountId, "--tier", "plus", "--until", "2999-01-31", ...WHY];
    expect(await json(...set)).toMatchObject({
      status: "active",
      tier: "plus",
      current_period_end: "2999-01-31T00:00:00.000Z",
    });
    const made = (await json("member-key", "provision", accountId, "--name", "laptop", ...WHY)) as Made;
    const caller = callerOf(made);
    await gateway.memberships.Authenticate({}, { caller });
    expect(await json("member-key", "list", accountId)).toMatchObject([
      { key_id: made.key.key_id, name: "laptop", masked: expect.stringMatching(/^atl_mem_….{4}$/) },
    ]);

    const grant = ["licence", "grant", accountId, "lumen-landing", "--kind", "client", ...WHY];
    const licence = await json(...grant);
    expect(licence).toMatchObject({ product_slug: "lumen-landing", kind: "client", source: "grant" });
    expect(await json(...grant)).toEqual(licence);
    expect(await json("licence", "list", accountId)).toEqual([licence]);

    expect(await json("membership", "end", accountId, ...WHY)).toMatchObject({ status: "lapsed" });
    expect(await refusalOf(gateway.memberships.Authenticate({}, { caller }))).toMatchObject({
      code: "membership_inactive",
    });
    expect(await json("licence", "list", accountId)).toEqual([licence]);
    await json(...set);
    expect(await json("member-key", "revoke", made.key.key_id, ...WHY)).toMatchObject({
      revoked_at: expect.any(String),
    });
    expect(await refusalOf(gateway.memberships.Authenticate({}, { caller }))).toMatchObject({
      code: "invalid_key",
    });
    const { licence_id } = licence as { licence_id: string };
    expect(await json("licence", "revoke", licence_id, ...WHY)).toMatchObject({ status: "revoked" });
  });

  test("is printed in columns, and a new key with a notice that it is shown once", async () => {
    const { accountId } = await createCustomer(core.app, { plan: "free" });
    expect((await run("membership", "show", accountId)).stdout).toBe(
      [
        `account        ${accountId}`,
        "status         none",
        "tier           none",
        "since          never",
        "until          never",
        "member tools   no",
        "plus products  no",
        "plan           Free (without the API)",
        "",
      ].join("\n"),
    );
    const key = await run("member-key", "provision", accountId, "--name", "x", ...WHY);
    expect(key.stdout).toMatch(/^key +atl_mem_\w{36}\n.*not shown again/s);
    expect((await run("member-key", "list", accountId)).stdout).toMatch(
      /^KEY ID .*\nkey_\S+ +atl_mem_….{4} +x /,
    );
    expect((await run("licence", "list", accountId)).stdout).toBe("0 licences\n");
    await run("licence", "grant", accountId, "lumen-landing", ...WHY);
    expect((await run("licence", "list", accountId)).stdout).toMatch(
      /^LICENCE .*\nlic_\S+ +lumen-landing +standard +grant +active /,
    );
    expect((await run("membership", "tiers")).stdout).toBe(
      [
        "TIER   NAME   MEMBER TOOLS  PLUS PRODUCTS  OFF PRODUCTS  A MONTH  A YEAR",
        "basic  Basic  no            no             0%            $5.00    $50.00",
        "plus   Plus   yes           yes            20%           $15.00   $150.00",
        "",
      ].join("\n"),
    );
  });
});

test("plan price and tier set change prices for new orders, and plan list shows them", async () => {
  const why = ["--operator", "Ada", "--reason", "spring"];
  expect((await run("plan", "price", "pro", "3950", ...why)).stdout).toBe("Pro: $39.50 a month\n");
  expect((await run("plan", "list")).stdout).toMatch(/\npro .*\$39\.50\n/);
  const prices = ["--monthly-cents", "1999", "--yearly-cents", "0"];
  expect((await run("tier", "set", "plus", ...prices, ...why)).stdout).toBe(
    "Plus: $19.99 a month, not sold a year, 20% off products\n",
  );
  expect((await run("plan", "price", "pro", "cheap", ...why)).exitCode).not.toBe(0);
});

test.each([
  ["member-key", "provision", "ACCOUNT", "--name", "x"],
  ["member-key", "revoke", "key_none"],
  ["membership", "set", "ACCOUNT", "--tier", "plus", "--until", "2999-01-01"],
  ["membership", "end", "ACCOUNT"],
  ["licence", "grant", "ACCOUNT", "lumen-landing"],
  ["licence", "revoke", "lic_none"],
])("a command without --reason changes nothing: %s %s", async (...args) => {
  const { accountId } = await createCustomer(core.app);
  const { exitCode, stdout, stderr } = await run(
    "--reason",
    " ",
    ...args.map((arg) => (arg === "ACCOUNT" ? accountId : arg)),
  );
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: "error: --reason is required\n",
  });
  expect(await json("member-key", "list", accountId)).toEqual([]);
  expect(await json("licence", "list", accountId)).toEqual([]);
  expect(await json("membership", "show", accountId)).toMatchObject({ status: "none" });
});

test("the audit trail lists who changed an account and why, by id or e-mail address, newest first", async () => {
  const { accountId } = await createCustomer(core.app);
  const { email } = (await json("account", "show", accountId)) as { email: string };
  await json("plan", "set", email.toUpperCase(), "studio", "--operator", "Ada", "--reason", "asked\nfor it");
  await json("member-key", "provision", accountId, "--name", "laptop", ...WHY);
  for (const target of [accountId, email]) {
    expect(await json("audit-trail", "--target", target)).toMatchObject({
      next_cursor: "",
      entries: [
        {
          method: "ProvisionMemberKey",
          service: "cli",
          operator: "Grace Höpper",
          reason: "ticket 7",
          target: accountId,
          detail: "laptop",
          outcome: "done",
        },
        { method: "SetPlan", operator: "Ada", reason: "asked\nfor it", target: email, detail: "studio" },
      ],
    });
  }
  const shown = await run("audit-trail", "--target", accountId, "--limit", "1");
  expect(shown.stdout).toMatch(
    /^AT +OPERATOR +SERVICE +METHOD +TARGET +DETAIL +OUTCOME +REASON\n\S+Z +Grace Höpper +cli +ProvisionMemberKey +acc_\S+ +laptop +done +ticket 7\nmore: --cursor \S+\n$/,
  );
  const cursor = /--cursor (\S+)/.exec(shown.stdout)?.[1] ?? "";
  const rest = await run("audit-trail", "--target", accountId, "--cursor", cursor);
  expect(rest.stdout).toMatch(/SetPlan .* done +asked for it\n$/);
  expect((await run("audit-trail", "--target", "nobody")).stdout).toBe("0 entries\n");
});

// Support's side of tickets by the command line.
const client = sharedByTests(async () => core.client());

async function open(
  kind = "other",
  text = "I cannot find it.",
): Promise<{ accountId: string; ticketId: string }> {
  const { accountId } = await createCustomer(core.app);
  const { ticket_id: ticketId } = await client.tickets.OpenTicket(
    { subject: "Where is it?", kind, text },
    { caller: { kind: "account", accountId, source: "app" } },
  );
  return { accountId, ticketId };
}

test("a ticket is listed, shown, answered and closed", async () => {
  const { accountId, ticketId } = await open("other", "two\nlines \u001b[31mred");
  const listed = await run("ticket", "list", "--account", accountId);
  expect(listed.stdout).toMatch(new RegExp(`${ticketId} +open +other +${accountId} .* 1 +Where is it\\?`));
  const shown = await run("ticket", "show", ticketId);
  expect(shown.stdout).toContain("two\nlines \u{FFFD}[31mred");
  expect((await run("ticket", "reply", ticketId, "--text", "Look at /library.")).stdout).toBe(
    `${ticketId} is answered, 2 messages\n`,
  );
  expect((await run("ticket", "list", "--account", accountId)).stdout).toBe("no tickets\n");
  expect((await run("ticket", "list", "--account", accountId, "--all")).stdout).toContain("answered");
  expect((await run("ticket", "close", ticketId)).stdout).toBe(`${ticketId} is closed\n`);
  const late = await run("ticket", "reply", ticketId, "--text", "One more");
  expect(late).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("The ticket is closed.") });
  expect((await run("ticket", "show", "tkt_never")).exitCode).toBe(1);
  const { stdout } = await run("--json", "audit-trail", "--target", ticketId);
  const { entries } = JSON.parse(stdout) as { entries: { method: string }[] };
  expect(entries.map(({ method }) => method)).toEqual(["ReplyToTicket", "CloseAnyTicket", "ReplyToTicket"]);
});

test("a member key is put on a ticket without being printed", async () => {
  const { accountId, ticketId } = await open("member_key");
  const provision = () => run("ticket", "provision-key", ticketId, "--name", "assistant");
  expect(await provision()).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("no active membership that includes the member tools"),
  });
  await run("membership", "set", accountId, "--tier", "plus", "--until", "2099-01-01");
  const made = await provision();
  expect(made.stdout).toMatch(
    new RegExp(`^key_\\w+ waits on ${ticketId} until .*; the user is notified by mail\n$`),
  );
  expect(made.stdout + (await run("--json", "ticket", "show", ticketId)).stdout).not.toContain("atl_mem_");
});
