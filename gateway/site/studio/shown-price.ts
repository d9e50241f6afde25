// The price that a page showed before a press: core accepts no higher one.
import { AppError } from "../../../proto/codes.ts";
import { credits } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import type { Form } from "../session/forms.ts";

const FIELD = "shown_price";

/** The field of a form that sends the price which its page shows. */
export function shownPriceField(price: number | undefined): Markup {
  return html`<input type="hidden" name=${FIELD} value=${price} autocomplete="off" />`;
}

/** Undefined if the page showed none. */
export function readShownPrice(form: Form): number | undefined {
  const sent = form.get(FIELD);
  return /^\d{1,15}$/.test(sent) ? Number(sent) : undefined;
}

/** Makes a request of at most the shown price, and a free one where none was shown. Throws price_changed for a higher price. */
export async function atShownPrice<T>(
  shown: number | undefined,
  make: (limit: { readonly max_credits: number }) => Promise<T>,
): Promise<T> {
  try {
    return await make({ max_credits: shown ?? 0 });
  } catch (error) {
    // The website has no other limit: those of keys are for programs.
    if (!(error instanceof AppError) || error.code !== "spend_limit_reached") throw error;
    const now = error.numbers?.["credits_required"] ?? 0;
    throw new AppError("price_changed", {
      message: `The price is ${shown === undefined ? "" : "now "}${credits(now)}.`,
      hint: "Nothing was made or charged. Press again to pay this price.",
      numbers: { credits_required: now },
    });
  }
}
