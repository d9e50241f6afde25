// Records a call of core as a span under that of the calling service. A call without one belongs to no trace: probes, and the gateways' own
// periodic questions.
import { tracedUnder } from "../../runtime/log/tracing.ts";
import type { App } from "../kernel/app.ts";

/** `parent` is empty if the caller names none. */
export function tracedCall<T>(
  { tracing }: Pick<App, "tracing">,
  method: string,
  parent: string,
  answer: () => Promise<T>,
): Promise<T> {
  if (!tracing) return answer();
  const attributes = { "rpc.system.name": "grpc", "rpc.method": method };
  return tracedUnder(tracing, parent, [method, { kind: "server", attributes }], answer);
}
