// Mail over SMTP against a real server, and without one.
import { expect, test } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMailer } from "../../runtime/mail.ts";
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
