// What the demo says when something does not hold: one line, and the end.

/** Throws an error with this line unless `holds`. */
export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
