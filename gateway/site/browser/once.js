// Sends a form once where its button is pressed twice: the browser would drop the response to the first press, and with it a session that it
// opened, and show what the second one found used up.

/** Longer than a double click, and short enough for a form that stays on the page, such as a download. */
const AGAIN_MS = 3_000;
/** @type {WeakMap<HTMLFormElement, { button: HTMLElement | null, at: number }>} */
const sent = new WeakMap();

// On the window, after the scripts that send forms of the page themselves.
addEventListener("submit", (event) => {
  const { target: form, submitter: button, timeStamp: at } = event;
  // A search may be changed and sent again.
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  const last = sent.get(form);
  if (last?.button === button && at - last.at < AGAIN_MS) event.preventDefault();
  else sent.set(form, { button, at });
});
