// A signed-in browser's cookies and forms, for tests that open pages or post forms without a browser.
import type { Answer } from "../../support/http-calls.ts";
import type { VisitOptions } from "./browser.ts";
import type { Browser } from "./sign-in.ts";

export function cookiesOf({ cookie }: Browser, url: string): NonNullable<VisitOptions["cookies"]> {
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
