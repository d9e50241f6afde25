// Headers that every response carries.
import type { Config } from "../../runtime/config/config.ts";
import type { AnyReply, AnyRequest } from "./any-request.ts";

// Constants rather than @fastify/helmet, which builds its middleware again for every request. These are for responses to programs: no page
// may result from them, in a frame or otherwise. Pages and media override the policy.
export const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Pictures and API responses may be used on other sites.
  "cross-origin-resource-policy": "cross-origin",
} as const;
export const HSTS = "max-age=31536000; includeSubDomains";

export function setStandardHeaders(
  request: AnyRequest,
  reply: AnyReply,
  config: Pick<Config, "trustProxy">,
): void {
  reply.header("x-request-id", request.id).headers(SECURITY_HEADERS);
  if (config.trustProxy && request.protocol === "https") reply.header("strict-transport-security", HSTS);
}
