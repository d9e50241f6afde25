// What `npm start` prints in a terminal, and what its log file contains.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { createLog } from "../../runtime/log/log.ts";
import { createTerminalLog } from "../../runtime/log/terminal-log.ts";
import { useFolder } from "../support/shared.ts";

const folder = useFolder("forEachTest");
let path: string;
let shown: string;
const out = { write: (text: string) => (shown += text) };
beforeEach(() => {
  path = folder("data", "atelier.log");
  shown = "";
});

const MAIL = {
  to: "ada@example.com",
  subject: "Sign in",
  text: "Open this:\nhttp://localhost/in?t=1\nNot you?",
};
const newLog = () => createLog("info", "atelier", createTerminalLog(path, out));

test("a mail is printed as recipient, subject and first link", () => {
  newLog().info(MAIL, "mail that would be sent");
  expect(shown).toBe("mail to ada@example.com: Sign in\n  http://localhost/in?t=1\n");
});

test("a sentence alone is printed, a record with fields is not, and a warning has its reason", () => {
  const log = newLog();
  log.info("mongod is back");
  log.info({ job_id: "job_1", status: "sent" }, "delivery attempt");
  log.warn({ job_id: "job_1" }, "not ready");
  log.error({ err: new Error("no route\nto host") }, "could not deliver");
  expect(shown).toBe("mongod is back\nwarning: not ready\nerror: could not deliver: no route\n");
});

test("a repeated warning is printed once, and a repeated mail each time", () => {
  const log = newLog();
  for (let i = 0; i < 3; i++) log.warn({ i }, "not ready");
  for (let i = 0; i < 2; i++) log.info({ ...MAIL, text: "no link" }, "mail that would be sent");
  expect(shown).toBe("warning: not ready\n" + "mail to ada@example.com: Sign in\n".repeat(2));
});

test("the log file has every line with its fields, is private, and is created with the first line", () => {
  const log = newLog();
  expect(existsSync(path)).toBe(false);
  log.info({ job_id: "job_1" }, "delivery attempt");
  log.warn("not ready");
  const lines = readFileSync(path, "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, role: "atelier", job_id: "job_1", msg: "delivery attempt" },
    { level: 40, msg: "not ready" },
  ]);
  expect([statSync(path).mode & 0o777, statSync(folder("data")).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("a long log file is rotated", () => {
  newLog().info("first");
  writeFileSync(path, "x".repeat(17 * 1024 * 1024));
  newLog().info("second");
  expect(statSync(`${path}.1`).size).toBe(17 * 1024 * 1024);
  expect(readFileSync(path, "utf8")).toContain("second");
});
