// How often the transactions that move credits have to be tried, for the operator.
import type { Metrics } from "../../../runtime/ops/metrics.ts";

/** For TxOptions.onTries. */
export function countTries(
  { counter }: Pick<Metrics, "counter">,
  kind: "accept" | "cancel" | "claim" | "settle" | "advance",
): (tries: number) => void {
  const transactions = counter(
    "transactions_total",
    "Transactions of accepting, claiming, cancelling and finalizing jobs, and of moving workflows on.",
    ["kind"],
  );
  const tried = counter(
    "transaction_tries_total",
    "Tries of these transactions; more than one each where they lose write conflicts, a repeated Idempotency-Key was taken for a new one, or the database is unavailable.",
    ["kind"],
  );
  return (tries) => {
    transactions.inc({ kind });
    tried.inc({ kind }, tries);
  };
}
