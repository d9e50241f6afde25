// The form that orders something. It has its own key, so that one press is one order, at the price shown beside it.
import { randomUUID } from "node:crypto";
import { actionForm } from "../account/account-frame.ts";
import type { ButtonKind } from "../design/button.ts";
import type { Markup } from "../design/markup.js";
import type { Person } from "../session/current-person.ts";
import { CHECKOUT_PATH } from "./shop-paths.ts";

export type Wanted =
  | { product: string; licence: string }
  | { pack: string }
  | { plan: string }
  | { tier: string; interval: "month" | "year" };

export type BuyForm = {
  wanted: Wanted;
  /** As it is shown. */
  cents: number;
  label: string;
  of?: string;
  kind?: ButtonKind;
  /** Of a form that was sent already and is asked about again. */
  key?: string;
};

export function buyForm(person: Person, { wanted, cents, key = randomUUID(), ...words }: BuyForm): Markup {
  const values = { ...wanted, expected_cents: cents, idempotency_key: key };
  return actionForm(person, { action: CHECKOUT_PATH, kind: "primary", values, ...words });
}
