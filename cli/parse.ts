// Reads values of the command line. A value that cannot be read is wrong usage, reported before core is asked.
import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError("Not a whole number.");
  return value;
}

/** A time as RFC 3339, from a date ("2030-01-31") or a time with its zone. */
export function time(text: string): string {
  const value = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}(T.+(Z|[+-]\d{2}:\d{2}))?$/.test(text) || Number.isNaN(value.getTime())) {
    throw new InvalidArgumentError("Not a date such as 2030-01-31 or a time such as 2030-01-31T12:00:00Z.");
  }
  return value.toISOString();
}
