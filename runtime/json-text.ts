// A setting that is JSON, before its shape is checked.
import { z } from "zod";

/** Messages about it never quote the text: it may hold a key. */
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
