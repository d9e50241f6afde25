// Prices and code of a workflow follow the typed form. The server makes them, as it does for the button of browsers without scripts.
import { find } from "./find.js";
import { swap } from "./swap.js";

/** The pause in typing after which the service is asked. */
const ASK_AFTER_MS = 350;

const form = find("#build", HTMLFormElement);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;
let asked = new AbortController();

form.addEventListener("input", () => {
  clearTimeout(asking);
  asking = setTimeout(() => void update(), ASK_AFTER_MS);
});

async function update() {
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  body.set("do", "price");
  const headers = { accept: "text/html" };
  const answer = await fetch(form.action, { method: "POST", body, headers, signal }).catch(() => undefined);
  // The session has ended: reloading leads the person to sign-in and back to the form, which is kept.
  if (answer?.redirected) location.reload();
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!signal.aborted)
    swap(page.querySelectorAll("#price, #available, #price-short, [id$='.price'], #code code"));
}
