// The Generate form: what it costs and how long the prompt is as one types, the prompt kept while one looks at other models, and one job for
// one press however often the button is hit. The form works without it.
import { find } from "./find.js";
import { understoodWords } from "./understood-words.js";
import { unitsOf } from "../../../proto/resources/units.js";

const NUMBER = new Intl.NumberFormat("en-US");
/** Of the session, so that whoever signs in next does not find it. */
const KEPT = `generate ${document.querySelector("meta[name=csrf-token]")?.getAttribute("content")}`;

/** Typing rests for so long before the service is asked. */
const ASK_AFTER_MS = 350;
/** Of a long text the beginning says what it shows, and an address has its limits. */
const ASKED_CHARACTERS = 600;

const form = find("form.generate__form", HTMLFormElement);
const prompt = find("#prompt", HTMLTextAreaElement);
const promptCount = find("#prompt-count", HTMLElement);
const price = find("#price", HTMLElement);
const short = find("#price-short", HTMLElement);
const button = find("#generate", HTMLButtonElement);
const understood = find("#understood", HTMLElement);
const label = button.textContent;
const unitPrice = Number(form.dataset["credits"]);
const available = Number(form.dataset["available"]);
const maxPrompt = Number(form.dataset["maxPrompt"]);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;

if (prompt.value === "") prompt.value = sessionStorage.getItem(KEPT) ?? "";
showCount();
showPrice();
void showUnderstood();
const wrong = document.querySelector("[aria-invalid=true]");
if (wrong instanceof HTMLElement) wrong.focus();

prompt.addEventListener("input", () => {
  sessionStorage.setItem(KEPT, prompt.value);
  showCount();
  clearTimeout(asking);
  asking = setTimeout(showUnderstood, ASK_AFTER_MS);
});
form.addEventListener("input", showPrice);

let sent = false;
form.addEventListener("submit", (event) => {
  if (sent) return event.preventDefault();
  sent = true;
  button.setAttribute("aria-disabled", "true");
  button.textContent = "Sending…";
});
// Shown again from the browser's memory, by way of the back button.
addEventListener("pageshow", () => {
  sent = false;
  button.removeAttribute("aria-disabled");
  button.textContent = label;
});

function showCount() {
  // Code points, as the service counts.
  const length = [...prompt.value].length;
  const over = length - maxPrompt;
  promptCount.hidden = false;
  promptCount.classList.toggle("prompt-count--over", over > 0);
  promptCount.textContent =
    over > 0
      ? `${NUMBER.format(over)} too many of ${NUMBER.format(maxPrompt)}`
      : `${NUMBER.format(length)} of ${NUMBER.format(maxPrompt)}`;
  prompt.setCustomValidity(over > 0 ? `At most ${NUMBER.format(maxPrompt)} characters.` : "");
}

/** What would be drawn, where the model can tell; nothing where it cannot, or cannot be asked. */
async function showUnderstood() {
  const asked = prompt.value;
  const model = form.elements.namedItem("model");
  const query = new URLSearchParams({
    model: model instanceof HTMLInputElement ? model.value : "",
    prompt: [...asked].slice(0, ASKED_CHARACTERS).join(""),
  });
  const answer =
    asked.trim() === "" ? undefined : await fetch(`/account/api/understood?${query}`).catch(() => undefined);
  const known = answer?.ok ? (await answer.json()).result.understood : null;
  if (prompt.value !== asked) return;
  understood.hidden = !known;
  understood.textContent = known ? understoodWords(known) : "";
}

function showPrice() {
  const units = unitsOf(priceUnit(), { count: enteredUnits(), duration_seconds: enteredUnits() });
  const credits = units === undefined ? undefined : units * unitPrice;
  price.textContent =
    credits === undefined ? "Not known yet" : `${NUMBER.format(credits)} credit${credits === 1 ? "" : "s"}`;
  short.hidden = credits === undefined || credits <= available;
}

/** @returns {"generation" | "image" | "second"} */
function priceUnit() {
  const { per } = form.dataset;
  if (per === "generation" || per === "image" || per === "second") return per;
  throw new Error("the form does not say what is priced");
}

/** What the field says that the number of units is read from, or what counts when it is left empty. */
function enteredUnits() {
  const { unitsOf: name = "", unitsDefault = "" } = form.dataset;
  const field = form.elements.namedItem(name);
  const text = field instanceof HTMLInputElement && field.value !== "" ? field.value : unitsDefault;
  return text === "" ? undefined : Number(text);
}
