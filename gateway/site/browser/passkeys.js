// Passkeys: <form hidden data-passkey="address"> fetches options from that address, lets the browser create or use a passkey, and is sent
// with the response. Browsers without passkeys never show the form.

const knows = "PublicKeyCredential" in globalThis && "parseCreationOptionsFromJSON" in PublicKeyCredential;
/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form[data-passkey]");
if (knows) {
  for (const form of forms) {
    form.hidden = false;
    const start = form.dataset["passkey"];
    if (start) form.addEventListener("submit", (event) => void answer(event, form, start));
  }
  for (const note of document.querySelectorAll("[data-no-passkeys]")) note.remove();
}

/**
 * @param {SubmitEvent} event
 * @param {HTMLFormElement} form
 * @param {string} start
 */
async function answer(event, form, start) {
  event.preventDefault();
  const problem = form.querySelector("[role=status]");
  if (problem) problem.textContent = "";
  try {
    const token = field(form, "csrf_token")?.value;
    const headers = token === undefined ? {} : { "x-csrf-token": token };
    const response = await fetch(start, { method: "POST", headers });
    // Sent without a response, the form leads to a page that says what is wrong.
    if (response.ok) {
      const { options, proof } = await response.json();
      const credential = await ask(options);
      fill(form, { challenge: options.challenge, proof, response: JSON.stringify(credential) });
    }
    form.submit();
  } catch {
    if (problem) problem.textContent = "No passkey was used. Try again, or use the code from your mailbox.";
  }
}

/**
 * Options to make a passkey name the user; those to sign in do not.
 * @param {PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON} options
 */
function ask(options) {
  return "user" in options
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

/**
 * @param {HTMLFormElement} form
 * @param {Record<string, string>} values
 */
function fill(form, values) {
  for (const [name, value] of Object.entries(values)) {
    const input = field(form, name);
    if (input) input.value = value;
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function field(form, name) {
  const found = form.elements.namedItem(name);
  return found instanceof HTMLInputElement ? found : undefined;
}
