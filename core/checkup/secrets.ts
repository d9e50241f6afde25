// Which values of a configuration nobody may see.
import type { Config } from "../../runtime/config.ts";

/** Shorter ones stand in many a word. */
const MIN_LENGTH = 6;

export function secretsOf(config: Config): readonly string[] {
  const { secret, secretsAccepted, serviceKey, s3SecretAccessKey, stripeSecretKey, stripeWebhookSecrets } =
    config;
  const urls = [config.mongodbUri, config.smtpUrl, config.redisUrl].flatMap((url) => url ?? []);
  const all = [
    ...[secret, serviceKey, s3SecretAccessKey, stripeSecretKey].flatMap((one) => one ?? []),
    ...secretsAccepted,
    ...(config.contentCredentialsKey ?? "").split("\n"),
    ...stripeWebhookSecrets,
    ...urls.flatMap(passwordsOf),
    ...textsIn(Object.values(config.aiSdkProviders).map(({ options }) => options)),
    ...Object.values(config.httpQueueProviders).flatMap(({ headers, webhook }) => [
      ...Object.values(headers),
      ...(webhook?.signature?.kind === "standard" ? [webhook.signature.secret] : []),
    ]),
  ];
  return [...new Set(all)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .toSorted((a, b) => b.length - a.length);
}

/** As it stands there, and as it is meant. An address of several hosts is no URL, so it is read by hand. */
function passwordsOf(url: string): string[] {
  const password = /^[a-z+]+:\/\/[^:@/]*:([^@]*)@/.exec(url)?.[1] ?? "";
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
