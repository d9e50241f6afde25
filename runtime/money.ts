// Formats amounts in US dollars.

/** For example $29 or $19.50: whole dollars have no cents. */
export function dollars(cents: number): string {
  const amount = cents / 100;
  return `$${amount.toLocaleString("en-US", { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 })}`;
}
