// Tabs of code samples: choosing a language opens it in all groups of the page, and is remembered for the next page.

const YEAR_SECONDS = 31_536_000;

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest(".code__tab")) return;
  const before = target.getBoundingClientRect().top;
  /** @type {NodeListOf<HTMLInputElement>} */
  const same = document.querySelectorAll(`.code__tab input[value="${target.value}"]`);
  for (const input of same) input.checked = true;
  // Content above may have grown, so the page scrolls to keep the pressed tabs in place.
  scrollBy(0, target.getBoundingClientRect().top - before);
  document.cookie = `docs_language=${target.value}; path=/docs; max-age=${YEAR_SECONDS}; samesite=lax`;
});
