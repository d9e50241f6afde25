// The spending limits of a key as form fields: for a new key, an existing key, and the key of an assistant.
import type { AppError } from "../../../proto/codes.ts";
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import type { ChangeKeyRequestInput } from "../../../proto/types/atelier/v1/ChangeKeyRequest.ts";
import type { CreateKeyRequestInput } from "../../../proto/types/atelier/v1/CreateKeyRequest.ts";
import { textField } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { issueAt } from "../layout/error-words.ts";
import type { Form } from "../session/forms.ts";

const CAPS = [
  ["day", "cap_day", "Daily limit", "In credits. Days are UTC."],
  ["week", "cap_week", "Weekly limit", "In credits. Weeks begin on Monday."],
  ["total", "cap_total", "Limit in total", "In credits, since the key first had a limit."],
] as const;

/** The limits of a key, as typed; "" is no limit. */
export type KeyBudgetForm = Record<"max_credits" | "confirm_above" | (typeof CAPS)[number][1], string>;

export const NO_BUDGET = readBudget({ get: () => "" });

export function readBudget(sent: Pick<Form, "get">): KeyBudgetForm {
  const typed = (name: string) => sent.get(name).trim();
  return {
    max_credits: typed("max_credits"),
    confirm_above: typed("confirm_above"),
    cap_day: typed("cap_day"),
    cap_week: typed("cap_week"),
    cap_total: typed("cap_total"),
  };
}

/** The limits that a key has. */
export function budgetForm({ max_credits, confirm_above, caps = [] }: ApiKeyResource): KeyBudgetForm {
  const limits = new Map<string, number | null>([
    ["max_credits", max_credits],
    ["confirm_above", confirm_above],
    ...caps.map((cap) => [`cap_${cap.per}`, cap.max_credits] as const),
  ]);
  return readBudget({ get: (name) => String(limits.get(name) ?? "") });
}

/** The limits of a new key. Core refuses what is not a number of credits. */
export function budgetOf(
  form: KeyBudgetForm,
): Pick<CreateKeyRequestInput, "max_credits" | "confirm_above" | "caps"> {
  const limitOf = (name: keyof KeyBudgetForm) => (form[name] ? toLimit(form[name]) : undefined);
  return {
    max_credits: limitOf("max_credits"),
    confirm_above: limitOf("confirm_above"),
    caps: Object.fromEntries(CAPS.map(([period, name]) => [period, limitOf(name)])),
  };
}

/** The limits of a key that exists: an empty field removes its limit. */
export function budgetTerms(form: KeyBudgetForm): Partial<ChangeKeyRequestInput> {
  return {
    ...budgetOf(form),
    no_limit: form.max_credits === "",
    no_confirmation: form.confirm_above === "",
  };
}

/** Core refuses what is not a number of credits. */
export function toLimit(typed: string): number {
  return /^\d{1,12}$/.test(typed) ? Number(typed) : -1;
}

export function budgetFields(
  values: KeyBudgetForm,
  { refusal, limitHint }: { refusal: AppError | undefined; limitHint: string },
): Markup {
  const isOpen = CAPS.some(([, name]) => values[name] !== "");
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
      hint: "In credits. Jobs that cost more wait for your approval.",
      type: "number",
      min: 0,
      value: values.confirm_above,
      error: issueAt(refusal, "confirm_above"),
    })}
    <details open=${isOpen}>
      <summary>More limits</summary>
      <div class="form-row">
        ${CAPS.map(([period, name, label, hint]) =>
          textField({
            name,
            label,
            hint,
            type: "number",
            min: 1,
            value: values[name],
            error: issueAt(refusal, `caps.${period}`),
          }),
        )}
      </div>
    </details>`;
}
