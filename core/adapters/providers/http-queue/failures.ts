// Errors in a queue's response, as text for the job's owner.
import { ProviderError } from "../provider.ts";

export function badAnswer(): ProviderError {
  return new ProviderError("provider_bad_answer", "The provider's answer could not be read.");
}

export function badPlace(): ProviderError {
  return new ProviderError(
    "provider_bad_answer",
    "The provider stores its result at an address that this service does not fetch from.",
  );
}
