// A page of this site as it is now, for a script that shows parts of it.

/**
 * Undefined when it cannot be had for the moment.
 * @param {string} address
 * @returns {Promise<Document | undefined>}
 */
export async function fetchPage(address) {
  try {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    // To sign in again: the person is led there, and back.
    if (response.redirected) location.reload();
    if (!response.ok || response.redirected) return undefined;
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    return undefined;
  }
}
