// Stars of favourites: a press changes the star and stays on the page.

document.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  if (!(target instanceof HTMLFormElement) || target.id !== "star") return;
  if (!(submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  void star(target, submitter);
});

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button
 */
async function star(form, button) {
  const data = new URLSearchParams();
  for (const [name, value] of new FormData(form, button))
    if (typeof value === "string") data.set(name, value);
  const back = new URL(data.get("back") ?? "", location.href);
  try {
    const response = await fetch(button.formAction, { method: "POST", body: data });
    // The session has ended, or the job is gone: the page shows it.
    if (!response.ok || new URL(response.url).pathname !== back.pathname) return location.reload();
  } catch {
    return;
  }
  const isStarred = button.value !== "";
  button.value = isStarred ? "" : "1";
  button.setAttribute("aria-pressed", String(isStarred));
}
