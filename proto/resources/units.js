// @ts-check
// How many units a generation is priced at. JavaScript, because pages load it as it lies here to show a price before anybody is asked.

/** Most units that one generation may be priced at, whatever a schema allows. */
export const MAX_UNITS = 3_600;

/**
 * A unit is the generation, each of `count` images, or each begun second of `duration_seconds`. Undefined where the params give none.
 * @param {"generation" | "image" | "second"} per
 * @param {Readonly<Record<string, unknown>>} params Checked ones, defaults filled in.
 * @returns {number | undefined}
 */
export function unitsOf(per, params) {
  switch (per) {
    case "generation":
      return 1;
    case "image":
      return params["count"] === undefined ? 1 : wholeUnits(params["count"], (count) => count);
    case "second":
      return wholeUnits(params["duration_seconds"], Math.ceil);
  }
}

/**
 * Which param the number of units is read from.
 * @param {"generation" | "image" | "second"} per
 * @returns {string}
 */
export function unitParam(per) {
  return per === "second" ? "duration_seconds" : "count";
}

/**
 * @param {unknown} value
 * @param {(value: number) => number} round
 * @returns {number | undefined}
 */
function wholeUnits(value, round) {
  const units = typeof value === "number" ? round(value) : Number.NaN;
  return Number.isInteger(units) && units >= 1 && units <= MAX_UNITS ? units : undefined;
}
