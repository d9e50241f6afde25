// The payment providers of this process, and which of them takes new orders.
import type { Config } from "../../runtime/config.ts";
import { createDemoProvider, type DemoOptions, type DemoProvider } from "./demo.ts";
import type { Payments } from "./provider.ts";

/** `demo` is there to be pressed on its page. */
export type OwnPayments = Payments & { readonly demo: DemoProvider | undefined };

export function createPayments(
  config: Pick<Config, "payments" | "profile">,
  options: DemoOptions,
): OwnPayments {
  const chosen = config.payments ?? (config.profile === "production" ? "none" : "demo");
  // loadConfig has refused it in production.
  const demo = chosen === "demo" ? createDemoProvider(options) : undefined;
  return { known: new Map(demo && [[demo.name, demo]]), current: demo, demo };
}
