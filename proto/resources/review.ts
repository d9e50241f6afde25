// The part of a review that its author writes.
import { z } from "zod";
import { plainLine, plainText } from "./ticket.ts";

export const MAX_STARS = 5;
export const MAX_REVIEW = 1_000;
export const MAX_REVIEW_NAME = 40;

export const reviewTextSchema = z.object({
  stars: z.int().refine((stars) => stars >= 1 && stars <= MAX_STARS, {
    error: `must be 1 to ${MAX_STARS} stars`,
  }),
  // Browsers send each line break as two characters.
  text: z
    .string()
    .transform((text) => text.replaceAll("\r\n", "\n").trim())
    .pipe(plainText(MAX_REVIEW)),
  name: plainLine(MAX_REVIEW_NAME)
    .refine((name) => !name.includes("@"), { error: "must not be an email address: everyone can read it" })
    .transform((name) => name.trim()),
});

export type ReviewText = z.output<typeof reviewTextSchema>;
