// Enhances the Generate page: price, preview and code follow the typed form, and a press shows the job beside the form and follows it to
// its end. The server makes all of it, and the page works without this script.
import { find } from "./find.js";
import { followJob } from "./follow-job.js";
import { swap } from "./swap.js";

const NUMBER = new Intl.NumberFormat("en-US");
/** The name of the session's draft, so that the next person who signs in does not find it. */
const KEPT = `generate ${document.querySelector("meta[name=csrf-token]")?.getAttribute("content")}`;
/** The pause in typing after which the service is asked. */
const ASK_AFTER_MS = 350;
const MAX_SEED = 2 ** 32;

const form = find("form.generate__form", HTMLFormElement);
const prompt = find("#prompt", HTMLTextAreaElement);
const promptCount = find("#prompt-count", HTMLElement);
const button = find("#generate", HTMLButtonElement);
const fields = find("#fields", HTMLElement);
const code = find("#code", HTMLElement);
const label = button.textContent;
const maxPrompt = Number(form.dataset["maxPrompt"]);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;
let asked = new AbortController();
let unfollow = () => {};
/** The job whose end was told last, by the address of its fragment. */
let told = "";
let sending = false;

const kept = prompt.value === "" ? sessionStorage.getItem(KEPT) : null;
if (kept) prompt.value = kept;
// The job exists, so the stored prompt is no longer needed.
if (location.search.includes("job=")) sessionStorage.removeItem(KEPT);
showCount();
if (kept) void preview();
follow();
focusWrong();
prepareDice();
find("#keys-hint", HTMLElement).hidden = matchMedia("(pointer: coarse)").matches;

prompt.addEventListener("input", () => sessionStorage.setItem(KEPT, prompt.value));
form.addEventListener("input", () => {
  showCount();
  clearTimeout(asking);
  asking = setTimeout(preview, ASK_AFTER_MS);
});
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  showView("form");
  form.requestSubmit(button);
});
document.addEventListener("submit", (event) => {
  const sent = event.target;
  if (!(sent instanceof HTMLFormElement) || (sent !== form && !("swap" in sent.dataset))) return;
  event.preventDefault();
  if (sent === form && event.submitter?.id === "get-code") return showView("code");
  void send(sent);
});
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-view]") : null;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  showView(link.dataset["view"] ?? "form");
});
addEventListener("popstate", () => location.reload());
// The browser restored the page from its cache after the back button.
addEventListener("pageshow", () => setSending(false));

function showCount() {
  // The service counts code points as well.
  const length = [...prompt.value].length;
  const over = length - maxPrompt;
  promptCount.classList.toggle("prompt-count--over", over > 0);
  promptCount.textContent =
    over > 0
      ? `${NUMBER.format(over)} too many of ${NUMBER.format(maxPrompt)}`
      : `${NUMBER.format(length)} of ${NUMBER.format(maxPrompt)}`;
  prompt.setCustomValidity(over > 0 ? `At most ${NUMBER.format(maxPrompt)} characters.` : "");
}

/** @param {string} view */
function showView(view) {
  const isCode = view === "code";
  code.hidden = !isCode;
  fields.hidden = isCode;
  for (const link of document.querySelectorAll("a[data-view]")) {
    if (link instanceof HTMLElement && link.dataset["view"] === view)
      link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  if (isCode) void preview();
}

/** Asks what the form would cost and show, and for its code. */
async function preview() {
  clearTimeout(asking);
  asked.abort();
  asked = new AbortController();
  const body = fieldsOf(form);
  body.delete("idempotency_key");
  const { signal } = asked;
  const answer = await post(form.dataset["preview"] ?? "", body, signal);
  const html = answer?.ok ? await answer.text().catch(() => "") : "";
  if (html !== "" && !signal.aborted) swap(parse(html).body.children);
}

/**
 * A press: the answer is this page, with the job or with what is wrong.
 * @param {HTMLFormElement} sent
 */
async function send(sent) {
  if (sending) return;
  setSending(true);
  const hasFile = [...new FormData(sent).values()].some((value) => value instanceof File && value.size > 0);
  const answer = await post(sent.action, hasFile ? new FormData(sent) : fieldsOf(sent));
  setSending(false);
  if (!answer) return showOffline();
  const page = parse(await answer.text());
  // The response is another page, so the browser shows it.
  if (!page.querySelector("#result")) return sent.submit();
  showPage(page);
  // The response is the page of the new job.
  if (answer.redirected) {
    sessionStorage.removeItem(KEPT);
    history.pushState(null, "", answer.url);
    bringIntoSight(find("#result", HTMLElement));
    document.dispatchEvent(new Event("atelier:credits"));
  } else {
    // A press pays at most the price that the page shows, and that may be why it was refused.
    void preview();
    focusWrong();
  }
}

/** The page and its Idempotency-Key stay, so pressing again makes one job, even if the first press arrived. */
function showOffline() {
  const said = document.createElement("p");
  said.className = "notice notice--danger";
  said.setAttribute("role", "alert");
  said.textContent =
    "The service cannot be reached. Your prompt is kept. Press again when you are online: you pay once, even if the first press arrived.";
  find("#refusal", HTMLElement).replaceChildren(said);
  said.scrollIntoView({ block: "nearest" });
}

/** @param {Document} page */
function showPage(page) {
  document.title = page.title;
  swap(page.querySelectorAll("#result, #history, #available, #price-short, #refusal"));
  const key = page.querySelector("#idempotency-key");
  if (key instanceof HTMLInputElement) find("#idempotency-key", HTMLInputElement).value = key.value;
  const fresh = page.querySelector("form.generate__form");
  if (fresh) showErrors(fresh);
  follow();
}

/**
 * What is wrong stands at its field; what is right again says nothing.
 * @param {Element} fresh
 */
function showErrors(fresh) {
  for (const control of form.elements) {
    if (!(control instanceof HTMLElement) || control.id === "") continue;
    const field = control.closest(".field");
    const newer = fresh.querySelector(`[id="${control.id}"]`);
    if (!field || !newer) continue;
    const [error, newError] = [`[id="${control.id}-error"]`].flatMap((id) => [
      field.querySelector(id),
      newer.closest(".field")?.querySelector(id),
    ]);
    if (error instanceof HTMLElement && newError instanceof HTMLElement) {
      error.textContent = newError.textContent;
      error.hidden = newError.hidden;
    } else if (newError) field.append(newError);
    else error?.remove();
    for (const name of ["aria-invalid", "aria-describedby"]) {
      const value = newer.getAttribute(name);
      if (value === null) control.removeAttribute(name);
      else control.setAttribute(name, value);
    }
  }
}

function focusWrong() {
  const wrong = form.querySelector("[aria-invalid=true]");
  if (wrong instanceof HTMLElement) return wrong.focus();
  form.querySelector("#refusal [role=alert]")?.scrollIntoView({ block: "nearest" });
}

/** Follows the job beside the form while it is live. */
function follow() {
  unfollow();
  const { events, fragment } = find("#result", HTMLElement).dataset;
  if (events === undefined || fragment === undefined) return;
  const mine = followJob(events, async () => {
    const answer = await fetch(fragment, { headers: { accept: "text/html" } }).catch(() => undefined);
    // The session has ended: reloading leads the person to sign-in and back.
    if (answer?.redirected) location.reload();
    if (!answer?.ok || answer.redirected) return undefined;
    const page = parse(await answer.text());
    // Another job was started in the meantime, or this one is followed by another stream, which tells its end.
    if (unfollow !== mine || find("#result", HTMLElement).dataset["fragment"] !== fragment) return false;
    document.title = page.title;
    swap(page.body.children);
    const isLive = find("#result", HTMLElement).dataset["events"] !== undefined;
    // An answer from before the end may arrive after it: then the job is followed again, to the same end.
    if (!isLive && told !== fragment) notify(page.title);
    if (!isLive) told = fragment;
    offerNotification();
    return isLive;
  });
  unfollow = mine;
  offerNotification();
}

/** While a job runs, offers to tell its end when another tab is in front. Browsers ask the person only after a press. */
function offerNotification() {
  const offer = document.querySelector("#notify");
  if (!(offer instanceof HTMLButtonElement) || typeof Notification === "undefined") return;
  offer.hidden = Notification.permission !== "default";
  offer.addEventListener(
    "click",
    () => void Notification.requestPermission().then(() => (offer.hidden = true)),
  );
}

/** @param {string} title */
function notify(title) {
  if (!document.hidden || typeof Notification === "undefined" || Notification.permission !== "granted")
    return;
  const shown = new Notification(title);
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
  });
}

/** @param {boolean} isSending */
function setSending(isSending) {
  sending = isSending;
  button.textContent = isSending ? "Sending…" : label;
  if (isSending) button.setAttribute("aria-disabled", "true");
  else button.removeAttribute("aria-disabled");
}

function prepareDice() {
  const dice = document.querySelector("#dice");
  if (!(dice instanceof HTMLButtonElement)) return;
  dice.hidden = false;
  dice.addEventListener("click", () => {
    const seed = form.elements.namedItem(dice.dataset["for"] ?? "");
    if (!(seed instanceof HTMLInputElement)) return;
    seed.value = String(Math.floor(Math.random() * MAX_SEED));
    seed.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/**
 * Fields without files: those are named by what was sent before.
 * @param {HTMLFormElement} from
 */
function fieldsOf(from) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(from)) if (typeof value === "string") body.append(name, value);
  return body;
}

/**
 * @param {string} address
 * @param {BodyInit} body
 * @param {AbortSignal} [signal]
 */
async function post(address, body, signal) {
  const headers = { accept: "text/html" };
  return fetch(address, { method: "POST", body, headers, ...(signal && { signal }) }).catch(() => undefined);
}

/** @param {string} html */
function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

/** @param {HTMLElement} element */
function bringIntoSight(element) {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.6) element.scrollIntoView({ block: "start" });
}
