// Checks whether the payment provider knows our key and reports its events to our address.
import type { Config } from "../../../runtime/config/config.ts";
import { publicUrls } from "../../../runtime/public-urls.ts";
import { askStripe } from "../../adapters/payments/stripe-checkup.ts";
import { type Finding, unknown, pass, fail } from "./finding.ts";

export async function checkPayments(config: Config): Promise<Finding[]> {
  const about = "payments";
  if (config.payments !== "stripe" || config.stripeSecretKey === undefined)
    return [pass(about, "nothing is sold for money here")];
  const { stripeSecretKey: secretKey, stripeApiBase: apiBase } = config;
  const { webhooks } = await askStripe({ secretKey, apiBase });
  const wanted = `${publicUrls(config).baseUrl}/webhooks/payments/stripe`;
  if (!webhooks)
    return [
      unknown(about, `Stripe knows the key, which may not list webhooks: see there whether ${wanted} is one`),
    ];
  const found = webhooks.find(({ url }) => url === wanted);
  if (!found)
    return [
      fail(
        about,
        `Stripe does not send events to ${wanted}`,
        "add it there, with the events of docs/operations/payments.md",
      ),
    ];
  return [
    found.isEnabled
      ? pass(about, "Stripe knows the key and sends its events here")
      : fail(about, `Stripe has stopped sending events to ${wanted}`, "enable it there again"),
  ];
}
