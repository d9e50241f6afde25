// Limits an answer to the fields in its output schema: a field of a resource is sent only if a tool has published it.
import { z } from "zod";

export type KeepListed = (value: unknown) => unknown;

/**
 * Compiled once from a tool's schema. Values are not validated: a core that is one release newer may know one more state or kind, and the
 * rest of its answer is still right.
 */
export function keepListed(schema: z.ZodType): KeepListed {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const keep = keepListed(schema.unwrap() as z.ZodType);
    return (value) => (value === null || value === undefined ? value : keep(value));
  }
  if (schema instanceof z.ZodArray) {
    const keep = keepListed(schema.element as z.ZodType);
    return (items) => (items as unknown[]).map(keep);
  }
  if (!(schema instanceof z.ZodObject)) return (value) => value;
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(
    ([name, field]) => [name, keepListed(field)] as const,
  );
  return (from) => {
    const listed: Record<string, unknown> = {};
    for (const [name, keep] of fields) {
      const value = (from as Record<string, unknown>)[name];
      if (value !== undefined) listed[name] = keep(value);
    }
    return listed;
  };
}
