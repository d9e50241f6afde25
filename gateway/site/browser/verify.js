// /verify: a dropped or chosen file is sent with its form. For a fingerprint the file is read here, and only its digest is sent.
import { find } from "./find.js";

const MIB = 2 ** 20;

const form = find("#verify-file", HTMLFormElement);
const file = find("#file", HTMLInputElement);
const state = find("#verify-state", HTMLElement);
const maxBytes = Number(form.dataset["maxBytes"]);

find("#verify-drop", HTMLElement).hidden = false;
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (!event.dataTransfer?.files[0]) return;
  file.files = event.dataTransfer.files;
  form.requestSubmit();
});
form.addEventListener("submit", (event) => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  const isTooLarge = chosen.size > maxBytes;
  if (isTooLarge) event.preventDefault();
  state.textContent = isTooLarge
    ? `${chosen.name} has ${Math.ceil(chosen.size / MIB)} MiB; a file may have at most ${maxBytes / MIB} MiB. Look up its fingerprint instead.`
    : `Sending ${chosen.name}…`;
});

const lookUp = find("#verify", HTMLFormElement);
const digest = find("#sha256", HTMLInputElement);
const local = find("#local-file", HTMLInputElement);
const localState = find("#fingerprint-state", HTMLElement);

// Browsers compute digests only on pages loaded over https or from this machine.
find("#verify-local", HTMLElement).hidden = !globalThis.crypto?.subtle;
local.addEventListener("change", () => void ask(local.files?.[0]));

/** @param {File | undefined} chosen */
async function ask(chosen) {
  if (!chosen) return;
  localState.textContent = `Reading ${chosen.name}…`;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await chosen.arrayBuffer()));
  digest.value = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  lookUp.requestSubmit();
}
