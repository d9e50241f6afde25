// The action bar: the estimated price and the button, always visible. The parts with ids are sent again when the form changes.
import type { z } from "zod";
import type { balanceSchema } from "../../../proto/resources/credits.ts";
import { priceInWords, pricingOf } from "../../../proto/resources/pricing.ts";
import { button } from "../design/button.ts";
import { count, counted, credits } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { PACKS_PATH } from "../shop/shop-paths.ts";
import type { Model } from "./draft.ts";
import { CHECK_PATH, CODE_PATH, pricesAddress } from "./paths.ts";
import { shownPriceField } from "./shown-price.ts";

export type Balance = z.output<typeof balanceSchema>;

/** Undefined while the form is incomplete. */
export type Price = number | undefined;

/** `balance` is undefined for a visitor. */
export function priceBox(model: Model, price: Price, balance: Balance | undefined): Markup {
  const path = balance ? CODE_PATH : CHECK_PATH;
  return html`<div class="action-bar">
      <p class="action-bar__price">${priceLine(price)} ${availableLine(balance)}</p>
      <span class="note" id="keys-hint" hidden><kbd>Ctrl</kbd> <kbd>Enter</kbd></span>
      ${button({ label: "Generate", id: "generate" })}
    </div>
    ${balance && shortLine(price, balance)}
    <div class="cluster cluster--apart">
      <p class="note">${termsOf(model)}</p>
      <span class="cluster">
        <noscript
          ><button
            class="button button--quiet"
            type="submit"
            name="show"
            value="form"
            formaction=${path}
            formnovalidate
          >
            Check price and prompt
          </button></noscript
        >
        <button class="button button--quiet" type="submit" formaction=${path} formnovalidate id="get-code">
          Get the code
        </button>
      </span>
    </div>
    ${
      pricingOf(model).rules.length > 0 &&
      html`<p class="note"><a href=${pricesAddress(model.model_slug)}>All prices of ${model.name}</a></p>`
    }`;
}

/** With the field that sends it. */
export function priceLine(price: Price): Markup {
  return html`<output class="action-bar__total" id="price"
    >${price === undefined ? "Not known yet" : credits(price)}${shownPriceField(price)}</output
  >`;
}

export function availableLine(balance: Balance | undefined): Markup {
  return html`<span class="note" id="available">${balance ? leftWords(balance) : "then you sign in"}</span>`;
}

function leftWords({ available, held }: Balance): string {
  return `${count(available)} left${held > 0 ? `, ${count(held)} held` : ""}`;
}

export function shortLine(price: Price, { available }: Balance): Markup {
  return html`<p
    class="action-bar__short"
    id="price-short"
    role="status"
    hidden=${price === undefined || price <= available}
  >
    Not enough credits for this. Choose fewer, shorter or a cheaper model, wait for running jobs, or${" "}
    <a href=${PACKS_PATH}>buy credits</a>.
  </p>`;
}

function termsOf(model: Model): string {
  const usual = counted(Math.max(1, Math.round(model.estimated_seconds)), "second");
  return `${priceInWords(pricingOf(model))}. Charged when it starts, refunded in full if it fails. Takes about ${usual}.`;
}
