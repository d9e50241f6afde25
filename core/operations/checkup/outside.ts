// Checks the installation from outside: its public address, the operator's port that no one outside may reach, and core as its callers
// reach it.
import { readFileSync } from "node:fs";
import type { Config } from "../../../runtime/config/config.ts";
import { publicUrls } from "../../../runtime/public-urls.ts";
import { askStripe } from "../../adapters/payments/stripe-checkup.ts";
import { checkTime, hostAndPort } from "./certificates.ts";
import { fail, type Finding, pass, unknown, warn } from "./finding.ts";
import { reach, reachPort, reachTls } from "./reach.ts";

const ANSWER_MS = 5_000;
const A_PAGE = "/llms.txt";

export async function checkPublicAddress(config: Config, now: Date): Promise<Finding[]> {
  const bases = new Set([config.baseUrl, config.generationBaseUrl].flatMap((url) => url ?? []));
  if (bases.size === 0) return [unknown("public address", "ATELIER_BASE_URL is not set here")];
  const found = await Promise.all([...bases].map((base) => checkBase(base.replace(/\/+$/, ""), now)));
  return found.flat();
}

async function checkBase(base: string, now: Date): Promise<Finding[]> {
  const about = base;
  const { certificate } = await reach(new URL(base));
  const answer = await fetch(`${base}${A_PAGE}`, {
    signal: AbortSignal.timeout(ANSWER_MS),
    redirect: "manual",
  });
  const text = await answer.text();
  const found: Finding[] = certificate ? [checkTime(about, certificate, now)] : [];
  if (!answer.ok)
    return [
      ...found,
      fail(about, `${A_PAGE} is answered ${answer.status}`, "let the proxy lead to the gateways"),
    ];
  // The page names its own addresses, as the gateway was configured.
  if (!text.includes(base))
    found.push(
      fail(
        about,
        "another service, or one with another base URL, answers there",
        "let the proxy lead to this installation",
      ),
    );
  return found.length > 0 ? found : [pass(about, "answers")];
}

/** This address asks no one for a key. */
export async function checkOpsPort({ baseUrl, opsPort }: Config): Promise<Finding[]> {
  const about = "operations port";
  if (baseUrl === undefined) return [unknown(about, "ATELIER_BASE_URL is not set here")];
  const { hostname } = new URL(baseUrl);
  try {
    const answer = await fetch(`http://${hostname}:${opsPort}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.body?.cancel();
    return [
      answer.ok
        ? fail(
            about,
            `everybody who reaches ${hostname} can read port ${opsPort}`,
            "close it at the firewall, or set ATELIER_OPS_HOST to a private address",
          )
        : pass(about, `${hostname}:${opsPort} belongs to another installation`),
    ];
  } catch {
    return [pass(about, `${hostname}:${opsPort} answers no one from here`)];
  }
}

export async function checkCore(config: Config, now: Date): Promise<Finding[]> {
  const about = "core";
  if (config.coreAddress === undefined) return [unknown(about, "ATELIER_CORE_ADDRESS is not set here")];
  const target = hostAndPort(config.coreAddress);
  if (!target) return [unknown(about, `the target ${config.coreAddress} is not a host and a port`)];
  if (config.coreTlsCa === undefined) {
    await reachPort(target.host, target.port);
    return [pass(about, "takes connections, not encrypted")];
  }
  const read = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  const { certificate } = await reachTls({
    ...target,
    servername: config.coreTlsName ?? target.host,
    ca: read(config.coreTlsCa),
    cert: read(config.coreTlsCert),
    key: read(config.coreTlsKey),
    ALPNProtocols: ["h2"],
  });
  return certificate
    ? [checkTime(about, certificate, now)]
    : [warn(about, "shows no certificate", "check ATELIER_GRPC_TLS_CERT")];
}

/** Checks whether the payment provider knows our key and reports its events to our address. */
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
