// The payment providers of this process, and which of them takes new orders.
import type { Config } from "../../../runtime/config/config.ts";
import type { Logger } from "../../../runtime/log/log.ts";
import type { Metrics } from "../../../runtime/ops/metrics.ts";
import { createDemoProvider, type DemoOptions, type DemoProvider } from "./demo.ts";
import type { PaymentProvider, Payments } from "./provider.ts";

/** `demo` is there so that its page can be used. */
export type OwnPayments = Payments & { readonly demo: DemoProvider | undefined };

type Wanted = Pick<
  Config,
  "payments" | "profile" | "stripeSecretKey" | "stripeWebhookSecrets" | "stripeApiBase" | "stripeTax"
>;
type Options = DemoOptions & { log: Logger; metrics: Metrics };

export async function createPayments(config: Wanted, options: Options): Promise<OwnPayments> {
  const chosen = config.payments ?? (config.profile === "production" ? "none" : "demo");
  // In production, loadConfig has already refused it.
  const demo = chosen === "demo" ? createDemoProvider(options) : undefined;
  const current = chosen === "stripe" ? await openStripe(config, options) : demo;
  return { known: new Map(current && [[current.name, current]]), current, demo };
}

/** Its library is large, so only installations that use it wait for it. */
async function openStripe(config: Wanted, { mongo, clock, log, metrics }: Options): Promise<PaymentProvider> {
  const { createStripeProvider } = await import("./stripe.ts");
  return createStripeProvider({
    mongo,
    clock,
    log,
    metrics,
    // loadConfig has already required it.
    secretKey: config.stripeSecretKey ?? "",
    webhookSecrets: config.stripeWebhookSecrets,
    apiBase: config.stripeApiBase,
    tax: config.stripeTax,
  });
}
