// Support on the website: a ticket is opened, answered and closed, a member key is handed over once, and no other account sees it.
import { describe, expect, test } from "vitest";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { type Browser, callOf, makeOld, signInAs } from "./support/sign-in.ts";

const ATTACK = `<img src=x onerror="document.title='broken in'">`;

const service = sharedByTests(() => startWholeService());
const ada = sharedByTests(() => signInAs(service, "ada@example.com"));
const browser = sharedByTests(() => openBrowser(service.url));

async function openTicket(who: Browser, more: { kind?: string; subject?: string } = {}): Promise<string> {
  const ticket = { subject: "Where is it?", kind: "other", text: "I cannot find it.", ...more };
  return (await service.core.tickets.OpenTicket(ticket, callOf(who))).ticket_id;
}

describe("asking support", () => {
  test.each([true, false])("goes from the form to the reply and the end, scripts: %s", async (scripts) => {
    const person = await signInAs(service, `person-${scripts}@example.com`);
    await browser.visit("/support", { cookies: cookiesOf(person), scripts }, async (visit) => {
      const { page } = visit;
      expect(await page.textContent(".empty")).toContain("No questions yet");
      await page.getByRole("link", { name: "Ask support" }).click();
      await page.getByLabel("A licence or its files").check();
      await page.getByLabel("Subject").fill("Fonts do not open");
      await page.getByLabel("Your message").fill(`First line\nsecond line ${ATTACK}`);
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForURL(/\/support\/tkt_\w+$/);
      expect(await page.textContent(".message--person .message__text")).toBe(
        `First line\nsecond line ${ATTACK}`,
      );
      const ticketId = page.url().split("/").at(-1) ?? "";
      await service.core.admin.ReplyToTicket({ ticket_id: ticketId, text: "Which program do you use?" });
      await page.reload();
      expect(await page.locator(".badge").first().textContent()).toBe("Answered");
      await page.getByLabel("Your message").fill("A very old one.");
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForURL(/#message-3$/);
      expect(await page.locator(".message").count()).toBe(3);
      await page.getByRole("button", { name: "Mark as solved" }).click();
      expect(await page.textContent("main")).toContain("This question is closed.");
      await page.goto("/support");
      expect(await page.textContent("tbody tr")).toContain("Fonts do not open");
    });
  });

  test("shows errors at the fields, and keeps the input", async () => {
    const cookies = cookiesOf(ada);
    const path = "/support/new?kind=order&about=ord_of_nobody";
    await browser.visit(path, { cookies, expectedErrors: /400/ }, async (visit) => {
      const { page } = visit;
      await page.getByLabel("Subject").fill("Where is my order?");
      await page.getByLabel("Your message").fill("It was paid.");
      await page.getByRole("button", { name: "Send" }).click();
      expect(await page.textContent("#about-error")).toContain("no order and no job of yours");
      expect(await page.inputValue("#about")).toBe("ord_of_nobody");
      expect(await page.inputValue("#text")).toBe("It was paid.");
      await visit.expectGoodInEveryLight("support-new-refused");
    });
  });
});

describe("a ticket form", () => {
  const ticket = { subject: "Twice?", kind: "other", about: "", text: "Said once.", form_key: "form-of-ada" };

  test("a ticket form that is pressed twice, or sent again later, opens one ticket with one message", async () => {
    const answers = await Promise.all([0, 1].map(() => sendForm(ada, "/support", ticket)));
    const places = new Set(answers.map(({ headers }) => headers.get("location")));
    expect([answers.map(({ status }) => status), places.size]).toEqual([[303, 303], 1]);
    const [path = ""] = places as Set<string>;
    const message = { text: "And this once.", form_key: "second-form" };
    await Promise.all([0, 1].map(() => sendForm(ada, `${path}/messages`, message)));
    await sendForm(ada, `${path}/messages`, message);
    const ticket_id = path.split("/").at(-1) ?? "";
    const { messages } = await service.core.tickets.GetTicket({ ticket_id }, callOf(ada));
    expect(messages.map(({ text }) => text)).toEqual(["Said once.", "And this once."]);
  });

  test("a ticket form with a huge message is refused: too many characters at the field, too many bytes by the server", async () => {
    const long = await sendForm(ada, "/support", { ...ticket, text: "x".repeat(4_001), form_key: "long" });
    expect([long.status, long.text.includes("must have at most 4000 characters")]).toEqual([400, true]);
    const huge = await sendForm(ada, "/support", { ...ticket, text: "x".repeat(200_000), form_key: "huge" });
    expect(huge.status).toBe(413);
    const lines = await sendForm(ada, "/support", { ...ticket, text: "a\r\nb", form_key: "lines" });
    const { messages } = await service.core.tickets.GetTicket(
      { ticket_id: lines.headers.get("location")?.split("/").at(-1) ?? "" },
      callOf(ada),
    );
    expect(messages[0]?.text).toBe("a\nb");
  });

  test("[SHOP-25] on a closed ticket, or above the limit, reports it on its page", async () => {
    const person = await signInAs(service, "busy@example.com");
    const ids = [];
    for (let n = 0; n < 10; n++) ids.push(await openTicket(person));
    const eleventh = await sendForm(person, "/support", { ...ticket, form_key: "eleventh" });
    expect([eleventh.status, eleventh.text.includes("You have many open questions")]).toEqual([429, true]);
    expect(eleventh.text).toContain("Said once.");
    await sendForm(person, `/support/${ids[0]}/close`);
    const late = await sendForm(person, `/support/${ids[0]}/messages`, {
      text: "One more",
      form_key: "late",
    });
    expect([late.status, late.text.includes("That question is closed")]).toEqual([409, true]);
    expect(late.text).toMatch(/action="\/support".*value="Where is it\?".*One more<\/textarea>/s);
  });
});

describe("a member key", () => {
  test("[SHOP-24] is requested, issued and shown once on the ticket, and opens the member tools", async () => {
    const person = await signInAs(service, "member@example.com");
    await service.core.admin.SetMembership({
      account: person.accountId,
      tier: "plus",
      until: "2099-01-01T00:00:00Z",
    });
    const cookies = cookiesOf(person);
    await browser.visit("/account/membership", { cookies }, async (visit) => {
      const { page } = visit;
      await page.getByRole("link", { name: "Ask for one" }).click();
      await page.getByLabel("Subject").fill("A key, please");
      await page.getByLabel("Your message").fill("For my assistant.");
      await page.getByRole("button", { name: "Send" }).click();
      await page.waitForURL(/\/support\/tkt_\w+$/);
      const ticketId = page.url().split("/").at(-1) ?? "";
      await service.core.admin.ProvisionTicketKey({ ticket_id: ticketId, name: "assistant" });
      await page.reload();
      await page.getByRole("button", { name: "Show the key" }).click();
      const secret = (await page.textContent("#secret")) ?? "";
      const identity = await service.core.memberships.Authenticate(
        {},
        { caller: { kind: "key", keySha256: hashApiKey(secret), source: "member" } },
      );
      expect(identity.account_id).toBe(person.accountId);
      await visit.expectAccessible();
      await page.goto(`/support/${ticketId}`);
      expect(await page.textContent("main")).toContain("You have seen the member key");
      expect(await page.content()).not.toContain(secret);
      const again = await sendForm(person, `/support/${ticketId}/key`);
      expect([again.status, again.headers.get("location")]).toEqual([303, `/support/${ticketId}`]);
    });
  });

  test("is hidden in a session that is older than a day", async () => {
    const person = await signInAs(service, "old-member@example.com");
    const account = person.accountId;
    await service.core.admin.SetMembership({ account, tier: "plus", until: "2099-01-01T00:00:00Z" });
    const ticketId = await openTicket(person, { kind: "member_key" });
    await service.core.admin.ProvisionTicketKey({ ticket_id: ticketId, name: "assistant" });
    await makeOld(service, person);
    const answer = await sendForm(person, `/support/${ticketId}/key`);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/sign-in?again=1&next=${encodeURIComponent(`/support/${ticketId}`)}`,
    ]);
    const { key } = await service.core.tickets.GetTicket({ ticket_id: ticketId }, callOf(person));
    expect(key?.state).toBe("waiting");
  });
});
