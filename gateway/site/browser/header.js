// The header of a signed-in person: the menu closes on Escape and on a press outside, the balance is refreshed, and the account learns the
// time zone. Without this script the menu is a disclosure, and the balance is from the time of the page.
import { find } from "./find.js";

const menu = find("details.account-menu", HTMLDetailsElement);
const balance = find("#balance", HTMLElement);
const whole = new Intl.NumberFormat("en-US");

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || !menu.open) return;
  const hadFocus = menu.contains(document.activeElement);
  menu.open = false;
  if (hadFocus) menu.querySelector("summary")?.focus();
});
/** Whether the current press has closed the menu: such a press does nothing else, for example it follows no link below the menu. */
let hasClosed = false;
document.addEventListener("pointerdown", ({ target }) => {
  const wasOpen = menu.open;
  closeBut(target);
  hasClosed = wasOpen && !menu.open;
});
document.addEventListener(
  "click",
  (event) => {
    // A click by keyboard has no pointer press before it.
    if (!hasClosed || event.detail === 0) return;
    hasClosed = false;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);
document.addEventListener("focusin", ({ target }) => closeBut(target));

// Drafts stored in this tab belong to the person who signs out.
find('form[action="/sign-out"]', HTMLFormElement).addEventListener("submit", () => sessionStorage.clear());

/** @param {EventTarget | null} target */
function closeBut(target) {
  if (target instanceof Node && !menu.contains(target)) menu.open = false;
}

// Mails show times in the time zone of the browser that was used last.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone && timeZone !== metaOf("time-zone"))
  fetch("/account/api/time-zone", {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": metaOf("csrf-token") },
    body: JSON.stringify({ time_zone: timeZone }),
  }).catch(() => {
    // The next page reports it again.
  });

/** @param {string} name */
function metaOf(name) {
  return find(`meta[name="${name}"]`, HTMLMetaElement).content;
}

// Actions that change the balance dispatch this event; another tab may have changed it while this page was hidden.
document.addEventListener("atelier:credits", () => void refresh());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void refresh();
});

async function refresh() {
  try {
    const response = await fetch("/account/api/me", { headers: { accept: "application/json" } });
    if (!response.ok) return;
    /** @type {{ result: { credits_available: number } }} */
    const { result } = await response.json();
    const { credits_available: credits } = result;
    balance.textContent = `${whole.format(credits)} ${credits === 1 ? "credit" : "credits"}`;
  } catch {
    // The balance stays unchanged.
  }
}
