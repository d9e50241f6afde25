// The part of an address by which it opens without a key.
import { z } from "zod";

export const signedQuery = z.object({
  account: z.string().optional().describe("Part of a signed URL."),
  expires: z.string().optional().describe("Part of a signed URL: seconds since 1970 at which it ends."),
  signature: z.string().optional().describe("Part of a signed URL."),
});

type Signed = { signed: { account: string; expires: number; signature: string } };

/** Empty if the address is not signed; it then takes a key to open it. */
export function signedAccess({
  account = "",
  expires = "",
  signature,
}: z.output<typeof signedQuery>): Signed | Record<string, never> {
  if (signature === undefined) return {};
  // An invalid number was not signed by the service: 0 has expired, so core refuses it like any other wrong signature.
  return { signed: { account, expires: /^\d{1,15}$/.test(expires) ? Number(expires) : 0, signature } };
}
