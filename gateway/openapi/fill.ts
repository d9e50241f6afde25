// Examples give the fields worth showing; the schema's other fields get their own example, or the plainest value of their type.
import { z } from "zod";

export function fill<S extends z.ZodObject>(schema: S, example: Partial<z.output<S>>): z.output<S> {
  const plain = Object.entries(schema.shape).map(([name, field]) => [name, plainValue(field as z.ZodType)]);
  return { ...Object.fromEntries(plain), ...example } as z.output<S>;
}

function plainValue(schema: z.ZodType): unknown {
  const [example] = (schema.meta()?.["examples"] ?? []) as unknown[];
  if (example !== undefined) return example;
  if (schema instanceof z.ZodOptional) return undefined;
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodObject) return fill(schema, {});
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodNumber) return 0;
  return schema instanceof z.ZodBoolean ? false : "";
}
