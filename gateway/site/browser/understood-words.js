// What a model draws of a prompt, in one line: for pages and for the script of the Generate form.

/**
 * @param {{ drawn: readonly string[], not_drawn: readonly string[] }} understood
 * @returns {string}
 */
export function understoodWords({ drawn, not_drawn: missing }) {
  const shows =
    drawn.length > 0
      ? `Shows ${drawn.join(", ")}.`
      : "Shows a scene of its own: it recognised none of these words.";
  return missing.length > 0 && drawn.length > 0 ? `${shows} Not drawn: ${missing.join(", ")}.` : shows;
}
