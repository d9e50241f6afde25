// The Stripe adapter in front of the double, and signed events.
import { pino } from "pino";
import { Stripe } from "stripe";
import type { PaymentEvent, PaymentProvider } from "../../../core/adapters/payments/provider.ts";
import { createStripeProvider, type StripeProviderOptions } from "../../../core/adapters/payments/stripe.ts";
import type { Mongo } from "../../../core/base/mongo/client.ts";
import { createMetrics } from "../../../runtime/ops/metrics.ts";
import { createFakeClock, type FakeClock } from "../clock.ts";
import { startStripeDouble, type StripeDouble } from "./server.ts";
import type { StripeEvent } from "./things.ts";

export const SECRET_KEY = "sk_test_onlyfortheseTests123";
export const WEBHOOK_SECRETS = ["whsec_the_new_one", "whsec_the_old_one"];

export type StripeFixture = {
  readonly double: StripeDouble;
  readonly provider: PaymentProvider;
  /** The service's clock; the bank's follows by `syncClocks`. */
  readonly clock: FakeClock;
  /** Every log line. */
  readonly logged: string[];
  /** Stripe's events since the last call. */
  news(): StripeEvent[];
  read(event: StripeEvent): Promise<PaymentEvent>;
  syncClocks(): void;
  close(): Promise<void>;
};

export async function createStripeFixture(
  mongo: Mongo,
  { clock = createFakeClock(), ...options }: Partial<StripeProviderOptions & { clock: FakeClock }> = {},
): Promise<StripeFixture> {
  const double = await startStripeDouble(SECRET_KEY);
  const logged: string[] = [];
  const provider = createStripeProvider({
    mongo,
    clock,
    log: pino({ level: "trace" }, { write: (line: string) => void logged.push(line) }),
    metrics: createMetrics(),
    secretKey: SECRET_KEY,
    webhookSecrets: WEBHOOK_SECRETS,
    apiBase: double.baseUrl,
    tax: false,
    ...options,
  });
  let told = 0;
  const world: StripeFixture = {
    double,
    provider,
    clock,
    logged,
    news: () => {
      const fresh = double.bank.events.slice(told);
      told = double.bank.events.length;
      return fresh;
    },
    read: (event) => {
      const { body, headers } = signed(event, { at: clock.now() });
      return provider.readEvent(Buffer.from(body), headers);
    },
    syncClocks: () => {
      double.bank.clock.now = Math.floor(clock.now().getTime() / 1000);
    },
    close: () => double.close(),
  };
  world.syncClocks();
  return world;
}

export function signed(
  event: object,
  { at, secret = WEBHOOK_SECRETS[0] ?? "" }: { at: Date; secret?: string },
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(at.getTime() / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return { body, headers: { "content-type": "application/json", "stripe-signature": signature } };
}
