// A signed-in browser's cookies and forms, for tests that open pages or post forms without a browser.
import type { Page } from "playwright-core";
import type { Answer } from "../../support/http-calls.ts";
import type { MailServer } from "../../support/mail-server.ts";
import type { VisitOptions } from "./browser.ts";
import type { Browser } from "./sign-in.ts";

export function cookiesOf({ cookie, url: own }: Browser, url = own): NonNullable<VisitOptions["cookies"]> {
  const [name = "", value = ""] = cookie.split("=");
  return [{ name, value, url }];
}

/** A plain form of a page of the site, with the session's token unless `fields` say otherwise. */
export function sendForm(
  who: Browser,
  path: string,
  fields: Record<string, string> = {},
): Promise<Answer<Record<string, unknown>>> {
  return who.call(path, {
    method: "POST",
    body: new URLSearchParams({ csrf_token: who.csrfToken, ...fields }).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "text/html",
      "x-csrf-token": null,
    },
  });
}

/** What a visit as this person needs. */
export const as = (who: Browser, options: VisitOptions = {}): VisitOptions => ({
  ...options,
  cookies: cookiesOf(who),
});

/** Requests the mail on the page that asks who it is, and opens its link in the same browser. */
export async function openMailedLink(page: Page, mail: MailServer, email: string): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Email me a code" }).click();
  const link = new URL(await mail.linkFor(email));
  await page.goto(link.pathname + link.search);
}
