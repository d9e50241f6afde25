// The error of a catalog call while core does not respond. It has the same code on every surface.
import { AppError } from "../proto/codes.ts";

const RETRY_SECONDS = 1;

/** Rethrows an error that any other call would return with 503 or 504 as catalog_unavailable, and every other error unchanged. */
export function asCatalogError(error: unknown): never {
  if (error instanceof AppError && ["service_unavailable", "deadline_exceeded"].includes(error.code))
    throw new AppError("catalog_unavailable", {
      retryAfterSeconds: error.retryAfterSeconds ?? RETRY_SECONDS,
    });
  throw error;
}
