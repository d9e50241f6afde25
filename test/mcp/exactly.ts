// The published schema of an answer, as strict as the answer itself is held to be.

/** The same schema, but an object with a list of fields may have no other ones. */
export function exactly(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, node: unknown) =>
    typeof node === "object" && node !== null && "type" in node && "properties" in node
      ? { ...node, additionalProperties: false }
      : node,
  ) as object;
}
