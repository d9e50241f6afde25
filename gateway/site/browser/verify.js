// /verify: a file that is dropped or chosen is read here, in the browser, and only its digest is asked about.
import { find } from "./find.js";

const form = find("#verify", HTMLFormElement);
const digest = find("#sha256", HTMLInputElement);
const chooser = find("#verify-file", HTMLElement);
const file = find("#file", HTMLInputElement);
const state = find("#verify-state", HTMLElement);

// Where digests can be made: not on pages that were reached in the clear.
chooser.hidden = !globalThis.crypto?.subtle;

file.addEventListener("change", () => void ask(file.files?.[0]));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  void ask(event.dataTransfer?.files[0]);
});

/** @param {File | undefined} chosen */
async function ask(chosen) {
  if (!chosen) return;
  state.textContent = `Reading ${chosen.name}…`;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await chosen.arrayBuffer()));
  digest.value = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  form.requestSubmit();
}
