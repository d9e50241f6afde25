// Parses a setting that is written as JSON, before its shape is checked.
import { z } from "zod";

/** Error messages never quote the text, because it may contain a key. */
export function jsonText(defaultText: string) {
  return z
    .string()
    .default(defaultText)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: "custom", message: "not valid JSON" });
        return z.NEVER;
      }
    });
}
