/** The sizes that a measurement was given as arguments, such as 1000000 or 1_000_000. Throws where one is not a whole number above 0. */
export function readSizes(given: readonly string[]): number[] {
  const sizes = given.map((size) => Number(size.replaceAll(/[_,]/g, "")));
  if (!sizes.every((size) => Number.isSafeInteger(size) && size > 0))
    throw new Error("sizes are whole numbers above 0");
  return sizes;
}
