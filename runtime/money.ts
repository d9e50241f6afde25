// Amounts in US dollars, as words.

/** $29, $19.50; without a remainder no cents are written. */
export function dollars(cents: number): string {
  const amount = cents / 100;
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 })}`;
}
