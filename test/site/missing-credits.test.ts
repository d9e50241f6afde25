// The website explains why an account on the free plan has no credits, on the credits page and after sign-in.
import { expect, test } from "vitest";
import { openAccount } from "../../core/identity/credits/open-account.ts";
import { approveWelcome } from "../../core/identity/credits/welcome.ts";
import { deleteAccount } from "../../core/operations/privacy/erase-accounts.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { signInAs } from "./support/sign-in.ts";

const HELD = "Your free credits come with your first purchase, or once we have approved your account.";
const ELSEWHERE = "Another account with your mailbox has the free credits, so none come to this one.";
const LATER =
  "A deleted account with your mailbox had this month’s free credits, so yours begin with the next month.";

const service = sharedByTests(() => startWholeService({ worker: false }));

const open = (email: string, { plan = "free", hold = false } = {}) =>
  openAccount(service.app, { email, name: "Ada", plan }, { hold });

/** The sentence that each of the two pages shows. */
async function told(email: string): Promise<string[][]> {
  const person = await signInAs(service, email);
  const pages = ["/credits", "/account"].map(async (path) => {
    const { status, text } = await person.call(path);
    expect(status).toBe(200);
    return [HELD, ELSEWHERE, LATER].filter((sentence) => text.includes(sentence));
  });
  return Promise.all(pages);
}

test("an account with welcome credits on hold is informed until they are approved", async () => {
  await open("held@example.com", { hold: true });
  expect(await told("held@example.com")).toEqual([[HELD], [HELD]]);
  await approveWelcome(service.app, "held@example.com");
  expect(await told("held@example.com")).toEqual([[], []]);
});

test("a second account of a mailbox is informed which one has the credits, unless it is on a paid plan", async () => {
  await open("ada@example.com");
  await open("ada+2@example.com");
  await open("ada+3@example.com", { plan: "pro" });
  expect(await told("ada@example.com")).toEqual([[], []]);
  expect(await told("ada+2@example.com")).toEqual([[ELSEWHERE], [ELSEWHERE]]);
  expect(await told("ada+3@example.com")).toEqual([[], []]);
});

test("an account that follows a deleted one is informed when its credits start", async () => {
  const { _id: accountId, email } = await open("bea@example.com");
  await deleteAccount(service.app, accountId, email);
  await open("bea+2@example.com");
  expect(await told("bea+2@example.com")).toEqual([[LATER], [LATER]]);
});
