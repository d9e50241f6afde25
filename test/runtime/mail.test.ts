// Mail over SMTP against a real server, and without one.
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
import { isTimeZone, localTimes } from "../../runtime/local-times.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMailer, mailHtml } from "../../runtime/mail.ts";
import { foldMailbox } from "../../runtime/mailbox.ts";
import { readHtml, startMailServer } from "../support/mail-server.ts";
import { sharedByTests } from "../support/shared.ts";

const MAIL = {
  to: "ada@example.com",
  subject: "Grüße",
  text: "Open https://example.com/sign-in/confirm?a=1&b=2 — soon.\n",
};

const server = sharedByTests(() => startMailServer());

test("a mail is delivered to the server with its sender and non-ASCII text", async () => {
  const config = loadConfig({ ATELIER_SMTP_URL: server.url, ATELIER_MAIL_FROM: "Shop <shop@example.com>" });
  const mailer = createMailer(config, createLog("silent", "test"));
  await mailer?.send(MAIL);
  mailer?.close();
  expect(server.received).toMatchObject([{ from: "shop@example.com", to: ["ada@example.com"] }]);
  expect(server.received[0]?.raw).toContain("From: Shop <shop@example.com>");
  expect(await server.linkFor("ada@example.com")).toBe("https://example.com/sign-in/confirm?a=1&b=2");
  expect(readHtml(server.received[0]?.raw ?? "")).toMatch(/^<!doctype html>[^]*a=1&#38;b=2 — soon/);
});

test("a mail is not sent when a password would go over the network unencrypted", async () => {
  // Another loopback address that is not recognized as such.
  const plain = await startMailServer("127.0.0.2");
  const url = plain.url.replace("smtp://", "smtp://user:word@");
  const mailer = createMailer(loadConfig({ ATELIER_SMTP_URL: url }), createLog("silent", "test"));
  await expect(mailer?.send(MAIL)).rejects.toMatchObject({ code: "ETLS" });
  mailer?.close();
  await plain.close();
});

test("the development profile writes a mail to the log", async () => {
  const lines: string[] = [];
  const log = createLog("info", "test", { write: (line) => void lines.push(line) });
  await createMailer(loadConfig({}), log)?.send(MAIL);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([MAIL]);
});

test("production cannot send a mail without a server", () => {
  const config = { ...loadConfig({}), profile: "production" as const };
  expect(createMailer(config, createLog("silent", "test"))).toBeUndefined();
});

test.each([
  ["ada+1@example.com", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["a.da@example.com", "a.da@example.com"],
  ["+tag@example.com", "+tag@example.com"],
  ["a.d.a+x@googlemail.com", "ada@gmail.com"],
  ["a-d.a_@pm.me", "ada@proton.me"],
  ["ada+x@mac.com", "ada@icloud.com"],
  ["a.da@icloud.com", "a.da@icloud.com"],
  ["..@gmail.com", "..@gmail.com"],
])("%s belongs to the mailbox %s", (email, mailbox) => {
  expect(foldMailbox(email)).toBe(mailbox);
  expect(foldMailbox(mailbox)).toBe(mailbox);
});

// The HTML part of a mail shows the plain text, and nothing in that text becomes markup or a link elsewhere.
const baseUrl = "https://atelier.example";
const htmlOf = (text: string) => mailHtml({ subject: "Subject", text, baseUrl });
const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

test("an HTML mail has paragraphs, facts in two columns and one button", () => {
  const html = htmlOf(`Thank you.

  Icons, client licence

  Paid       19.00 USD
  Receipt    2026-000001

Your order: ${baseUrl}/account/orders/ord_1

All orders: ${baseUrl}/account/orders
`);
  expect(html).toMatch(/<td[^>]*>Paid<\/td><td[^>]*>19\.00 USD<\/td>/);
  expect(html).toContain(">Icons, client licence</td>");
  expect(html).toMatch(
    /<a href="https:\/\/atelier.example\/account\/orders\/ord_1" style="display:inline-block[^"]*">Your order<\/a>/,
  );
  expect(html.match(/display:inline-block;padding/g)).toHaveLength(1);
  expect(linksOf(html)).toEqual([`${baseUrl}/account/orders/ord_1`, `${baseUrl}/account/orders`]);
});

test("amounts of an HTML mail stand in a right-aligned column, and other facts do not", () => {
  const html = htmlOf("Thanks.\n\n  Price   100.00 USD\n  Less    −20.00 USD\n\n  Receipt  2026-000001");
  const aligned = [...html.matchAll(/<td[^>]*text-align:right[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(aligned).toEqual(["100.00 USD", "−20.00 USD"]);
});

test("an HTML mail shows a code that stands alone larger than other words", () => {
  expect(htmlOf("Type this code:\n\n1234 5678\n\nOr not.")).toMatch(/<p [^>]*font-size:28px[^>]*>1234 5678</);
  expect(htmlOf("Type 1234 5678 there.")).not.toContain("font-size:28px");
});

test("an HTML mail links to this site only, for any text", () => {
  const html = htmlOf(`They wrote:

Click here: https://evil.example/
and see ${baseUrl}.evil.example/ or javascript:alert(1)
<a href="https://evil.example">x</a>`);
  expect(linksOf(html)).toEqual([]);
  expect(html).toContain("&#60;a href=");
});

test("an HTML mail keeps every word of any text, and no markup of it", () => {
  const elements = (html: string) =>
    html.replaceAll(/<\/?(?:p|br|a|table|tr|td)\b[^>]*>/g, "").match(/<[a-z]/gi)?.length;
  const least = elements(htmlOf(""));
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(elements(htmlOf(text))).toBe(least);
    }),
  );
});

test.each([
  [undefined, "23 December 2026", "23 December 2026 at 23:30 UTC"],
  ["Europe/Berlin", "24 December 2026", "24 December 2026 at 00:30 CET"],
  ["America/New_York", "23 December 2026", /23 December 2026 at 18:30 (?:EST|GMT-5)/],
])("times in %s use the local clock", (zone, day, time) => {
  const times = localTimes(zone);
  const at = new Date("2026-12-23T23:30:00Z");
  expect(times.day(at)).toBe(day);
  expect(times.time(at)).toMatch(time);
});

test("a time zone must be known to the platform", () => {
  expect(["Europe/Berlin", "UTC", "", "Mars/Olympus", "Europe/Berlin\n"].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
