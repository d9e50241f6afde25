// Support's side of tickets by the command line.
import { expect, test } from "vitest";
import { createCustomer } from "../support/app.ts";
import { sharedByTests } from "../support/shared.ts";
import { useCli } from "./run-cli.ts";

const { core, run } = useCli();
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
