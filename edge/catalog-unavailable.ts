// What a call about the catalog is refused with while core does not answer: the same code on every surface.
import { AppError } from "../proto/codes.ts";

const RETRY_SECONDS = 1;

/** Rethrows what any other call would be refused with under 503 or 504 as catalog_unavailable, and everything else as it is. */
export function asCatalogError(error: unknown): never {
  if (error instanceof AppError && ["service_unavailable", "deadline_exceeded"].includes(error.code))
    throw new AppError("catalog_unavailable", {
      retryAfterSeconds: error.retryAfterSeconds ?? RETRY_SECONDS,
    });
  throw error;
}
