// Spellings of an address that share one mailbox.
import { expect, test } from "vitest";
import { foldMailbox } from "../../runtime/mailbox.ts";

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
