// JSON log lines with pino. Credentials are cut out wherever they may appear.
import { pino, type DestinationStream, type Logger } from "pino";

export type { Logger };

const REDACTED = [
  "req.headers.authorization",
  "req.headers.cookie",
  "headers.authorization",
  "authorization",
  "secret",
  "*.secret",
  "token",
  "*.token",
  "stripeSecretKey",
  "*.stripeSecretKey",
  "stripeWebhookSecrets",
  "*.stripeWebhookSecrets",
];

export function createLog(level: string, role: string, destination?: DestinationStream): Logger {
  const options = { level, base: { role }, redact: { paths: REDACTED, censor: "[redacted]" } };
  return destination ? pino(options, destination) : pino(options);
}
