// Formats amounts in US dollars.

/** For example $29 or $19.50: whole dollars have no cents. */
export function dollars(cents: number): string {
  const amount = cents / 100;
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 })}`;
}

/** For example −19.50 EUR: always with cents. */
export function exactAmount({ currency }: { currency: string }, cents: number): string {
  return `${cents < 0 ? "−" : ""}${(Math.abs(cents) / 100).toFixed(2)} ${currency.toUpperCase()}`;
}
