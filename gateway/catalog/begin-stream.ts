// Waits for the first message of a stream about the catalog, because an answer that has begun can no longer be refused.
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import { AppError } from "../../proto/codes.ts";
import { CATALOG_DEADLINE_MS } from "./kept-answers.ts";

export type BegunStream<T> = { readonly first: IteratorResult<T>; readonly rest: AsyncIterator<T> };

/** Throws what core refuses, and catalog_unavailable where it does not answer in time. */
export async function beginStream<T>(stream: AsyncIterable<T>): Promise<BegunStream<T>> {
  const rest = stream[Symbol.asyncIterator]();
  return { first: await within(CATALOG_DEADLINE_MS, rest.next()).catch(asCatalogError), rest };
}

async function within<T>(deadlineMs: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError("deadline_exceeded")), deadlineMs);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
