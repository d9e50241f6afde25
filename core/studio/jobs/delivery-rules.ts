// The requested and the delivered outputs of a job, and its charge. This file is pure.
import type { Delivered } from "../../../proto/resources/job.ts";
import type { ProviderUsage } from "../../adapters/providers/provider.ts";
import type { JobDoc } from "./store.ts";

export type UsageFault = "negative" | "not_a_number" | "bad_currency" | "reported_twice";

const MAX_REFERENCE = 200;

/** The usable reported numbers, and what is wrong with the others. */
export function checkUsage({ seconds, outputs, cost, reference }: ProviderUsage): {
  usage: ProviderUsage;
  faults: readonly UsageFault[];
} {
  const faults: UsageFault[] = [];
  const isUsable = (value: number | undefined): value is number => {
    if (value === undefined) return false;
    if (!Number.isFinite(value)) faults.push("not_a_number");
    else if (value < 0) faults.push("negative");
    return Number.isFinite(value) && value >= 0;
  };
  const hasCurrency = cost === undefined || /^[A-Z]{3}$/.test(cost.currency);
  if (!hasCurrency) faults.push("bad_currency");
  const usage = {
    ...(isUsable(seconds) && { seconds }),
    ...(isUsable(outputs) && { outputs }),
    ...(hasCurrency && isUsable(cost?.amount) && { cost }),
    ...(reference !== undefined && reference !== "" && { reference: reference.slice(0, MAX_REFERENCE) }),
  };
  return { usage: usage as ProviderUsage, faults };
}

/** The number of requested outputs. */
export function outputsAsked({ modality, params }: Pick<JobDoc, "modality" | "params">): number {
  const { count } = params;
  return modality === "image" && typeof count === "number" ? count : 1;
}

/**
 * The result of a job that made `outputs` files. Seconds count if the price is per second and the provider reports them; of two shortfalls
 * the larger counts. Files are counted here, whatever the provider reports.
 */
export function deliveredOf(
  job: Pick<JobDoc, "modality" | "params" | "priced_by">,
  outputs: number,
  usage: ProviderUsage,
): Delivered {
  const files: Delivered = { unit: "output", asked: outputsAsked(job), got: outputs };
  const asked = job.params["duration_seconds"];
  const { seconds } = usage;
  // A file has a length above zero seconds: such a report is a mistake.
  if (job.priced_by?.unit !== "second" || typeof asked !== "number" || !seconds) return files;
  const length: Delivered = { unit: "second", asked, got: seconds };
  return shareOf(length) < shareOf(files) || (isWhole(files) && !isWhole(length)) ? length : files;
}

/** Whether exactly the request was delivered. */
export function isWhole({ asked, got }: Delivered): boolean {
  return got === asked;
}

function shareOf({ asked, got }: Delivered): number {
  return got / asked;
}

/**
 * The cost of a job of this price that delivered this much: its share of the price, rounded down to whole credits, and never more than the
 * price. Amounts are in thousandths.
 */
export function chargeFor(credits: number, { asked, got }: Delivered): number {
  if (got >= asked) return credits;
  // The product may be beyond the exact integers of a number.
  return Number((BigInt(credits) * thousandths(got)) / thousandths(asked));
}

function thousandths(amount: number): bigint {
  return BigInt(Math.round(amount * 1000));
}
