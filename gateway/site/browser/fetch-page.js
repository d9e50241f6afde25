// Fetches the current version of a page of this site for a script that shows parts of it.

/**
 * Undefined when it cannot be had for the moment.
 * @param {string} address
 * @returns {Promise<Document | undefined>}
 */
export async function fetchPage(address) {
  try {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    // The session has ended: reloading leads the person to sign-in and back.
    if (response.redirected) location.reload();
    if (!response.ok || response.redirected) return undefined;
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return undefined;
  }
}
