// The spending limits of a key as form fields: for a new key, an existing key, and the key of an assistant.
import type { AppError } from "../../../proto/codes.ts";
import { textField } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { issueAt } from "../layout/error-words.ts";

/** The limits of a key as the person typed them. */
export type KeyBudgetForm = Record<"max_credits" | "confirm_above", string>;

export function budgetFields(
  values: Record<keyof KeyBudgetForm, string | number>,
  { refusal, limitHint }: { refusal: AppError | undefined; limitHint: string },
): Markup {
  return html`${textField({
    name: "max_credits",
    label: "Monthly limit",
    hint: limitHint,
    type: "number",
    min: 1,
    value: values.max_credits,
    error: issueAt(refusal, "max_credits"),
  })}
  ${textField({
    name: "confirm_above",
    label: "Ask me above",
    hint: "You confirm what costs more credits.",
    type: "number",
    min: 0,
    value: values.confirm_above,
    error: issueAt(refusal, "confirm_above"),
  })}`;
}
