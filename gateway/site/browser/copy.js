// Buttons that copy the text of another element: <button hidden data-copy="id">. Without this script they stay hidden.

const DONE_MS = 2_000;

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-copy]");
for (const button of buttons) {
  button.hidden = false;
  button.addEventListener("click", () => void copy(button));
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const source = document.getElementById(button.dataset["copy"] ?? "");
  const label = button.textContent;
  const done = await write(source?.textContent?.trim() ?? "");
  // The button is a live region, so the result is announced as well.
  button.setAttribute("aria-live", "polite");
  button.textContent = done ? "Copied" : "Select it and copy by hand";
  setTimeout(() => (button.textContent = label), DONE_MS);
}

/**
 * Browsers refuse if the person has not allowed it or the page was not loaded over https.
 * @param {string} text
 */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
