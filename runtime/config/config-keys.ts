// Every setting: its environment variable, shape and meaning. docs/operations/configuration.md and deploy/.env.example are made from this list.
import { z } from "zod";
import { MAX_KEEP_DAYS } from "../../proto/resources/job.ts";
import { httpQueueProviders } from "./http-queue-settings.ts";
import { jsonText } from "./json-text.ts";
import { logWitnesses } from "./log-witnesses.ts";
import { ALLOWANCES } from "./production.ts";
import { trustedKeysSchema } from "./trusted-keys.ts";

/** The longest period that any report looks back: spending looks back 90 days, and credits for missed periods two months. */
const MIN_ARCHIVE_DAYS = 100;
export const ROLES = ["core", "worker", "gateway", "mcp"] as const;

/** Says which part of a value is secret: the whole value (`true`), or the texts that the function returns. */
type Secret<T extends z.ZodType> = true | ((value: z.output<T>) => unknown);
/** `env` is absent where the variable's name follows from the setting's. */
type Key<T extends z.ZodType> = { schema: T; doc: string; secret?: Secret<T>; env?: string };

function key<T extends z.ZodType>(schema: T, doc: string, secret?: Secret<T>): Key<T> {
  return { schema, doc, ...(secret && { secret }) };
}

function named<T extends z.ZodType>(env: string, schema: T, doc: string, secret?: Secret<T>): Key<T> {
  return { ...key(schema, doc, secret), env };
}

/** `rateApiPerMinute` is `ATELIER_RATE_API`. */
function variableOf(name: string): string {
  const words = name.replace(/PerMinute$/, "").replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_");
  return `ATELIER_${words.toUpperCase()}`;
}

/**
 * Returns the password of an address, both as it is written and decoded. An address with several hosts is not a valid URL, so this parses
 * it by hand.
 */
function passwordsOf(url: string | undefined): string[] {
  const password = /^[a-z+]+:\/\/[^:@/]*:([^@]*)@/.exec(url ?? "")?.[1] ?? "";
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** Returns each line of a secret that has several lines, because a log or a report may contain only one of them. */
function linesOf(text: string | undefined): string[] {
  return (text ?? "").split("\n");
}

const atLeast = (least: number, fallback: number) => z.coerce.number().int().min(least).default(fallback);
const within = (least: number, most: number, fallback: number) =>
  z.coerce.number().int().min(least).max(most).default(fallback);
const port = (fallback: number) => within(0, 65_535, fallback);
const text = z.string().optional();
const list = z.string().default("").transform(splitList);
const httpUrl = z.url({ protocol: /^https?$/ });
const flag = z
  .enum(["0", "1"])
  .default("0")
  .transform((value) => value === "1");

/** Parses `name=value,name=value` with percent-encoded values, as the OpenTelemetry specification defines it. */
const pairs = z
  .string()
  .default("")
  .transform((text, context) => {
    const found: Record<string, string> = {};
    for (const pair of splitList(text)) {
      const at = pair.indexOf("=");
      try {
        if (at < 1) throw new Error("no name");
        found[pair.slice(0, at).trim()] = decodeURIComponent(pair.slice(at + 1).trim());
      } catch {
        // The value may be a key, so the message does not quote it.
        context.addIssue({ code: "custom", message: "must be name=value pairs, separated by commas" });
        return z.NEVER;
      }
    }
    return found;
  });

function splitList(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}

/** A list whose values may themselves contain commas and spaces. */
function splitLines(value: string): string[] {
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The secret key is sent to this address. */
function isSafeBase({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || hostname === "localhost" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Error messages never quote the value, because it may be a key. */
const aiSdkProviders = jsonText("{}")
  .pipe(
    z.record(
      z.string(),
      z.strictObject({
        package: z.string().min(1),
        export: z.string().min(1),
        options: z.record(z.string(), z.unknown()).default({}),
        privateHosts: z.array(z.string().min(1)).default([]),
      }),
    ),
  )
  .refine((providers) => !Object.hasOwn(providers, "local"), { error: "local is the embedded provider" })
  .refine((providers) => Object.keys(providers).every((name) => /^[a-z][a-z0-9-]{0,49}$/.test(name)), {
    error: "names of providers are lower-case words",
  });

const TRACE_SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const KEYS = {
  profile: named(
    "NODE_ENV",
    z
      .enum(["development", "test", "production"])
      .default("development")
      .transform((value) => (value === "production" ? value : "development")),
    "`development`, `test` (the same) or `production`, which seeds nothing and refuses unsafe settings.",
  ),
  allowInsecure: key(
    list.pipe(z.array(z.enum(ALLOWANCES))),
    `What production refuses and this installation accepts anyway, separated by commas: ${ALLOWANCES.map((name) => `\`${name}\``).join(", ")}.`,
  ),
  allowDev: key(
    flag,
    "1: development, which writes sample data and prints keys, may use a database on another machine.",
  ),
  roles: key(
    z
      .string()
      .default(ROLES.join(","))
      .transform((value) => value.split(",").map((role) => role.trim()))
      .pipe(z.array(z.enum(ROLES)).min(1)),
    "Comma-separated roles that this process runs.",
  ),
  host: key(z.string().default("127.0.0.1"), "Address on which the public HTTP port listens."),
  httpPort: key(port(8080), "Public HTTP port: REST, website and tool endpoints."),
  grpcHost: key(z.string().default("127.0.0.1"), "Address on which core's gRPC port listens."),
  grpcPort: key(port(50_051), "gRPC port of core."),
  coreAddress: key(text, "gRPC target at which gateway and mcp find core. Default: the loopback gRPC port."),
  opsPort: key(port(9464), "Port for /healthz, /readyz, /metrics and the operator's page. It needs no key."),
  opsHost: key(
    z.string().default("127.0.0.1"),
    "Address on which that port listens. For probes and scrapers on other machines, use `0.0.0.0` in a private network.",
  ),
  opsNames: key(
    list,
    "Names by which that port may be called, separated by commas, besides IP addresses, names without a dot and the machine's own.",
  ),
  mongodbUri: named(
    "MONGODB_URI",
    text,
    "A replica set or sharded cluster, used instead of the embedded MongoDB.",
    passwordsOf,
  ),
  mongoDatabase: key(z.string().default("atelier"), "Name of the database."),
  mongoPort: key(port(27_027), "Loopback port of the embedded MongoDB."),
  mongodPath: named(
    "ATELIER_MONGOD",
    text,
    "mongod to embed. Default: from the PATH, the cache or a download.",
  ),
  dataDir: key(z.string().default(".data"), "Folder of the embedded database and what development makes."),
  minFreeMb: key(
    atLeast(0, 512),
    "Free MiB on the embedded database's disk below which no jobs are accepted or started; at least 128.",
  ),
  s3Endpoint: key(
    httpUrl.optional(),
    "S3-compatible store for files, addressed in path style, for example `https://s3.eu-central-1.amazonaws.com`. Without it, files are in the database. Needs bucket and keys.",
  ),
  s3Bucket: key(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "not the name of a bucket")
      .optional(),
    "Existing bucket of that store.",
  ),
  s3Region: key(z.string().default("us-east-1"), "Region of that store."),
  s3AccessKeyId: key(text, "Access key that may put, get and delete objects."),
  s3SecretAccessKey: key(text, "Its secret.", true),
  baseUrl: key(
    z.url().optional(),
    "Public URL of catalog, website and member tools. Default: the HTTP port on localhost.",
  ),
  generationBaseUrl: key(
    z.url().optional(),
    "Public URL of the generation API and its tools. Default: the base URL.",
  ),
  secret: key(
    z.string().min(32).optional(),
    "Signs output URLs and session cookies; at least 32 characters. Required in production.",
    true,
  ),
  secretsAccepted: named(
    "ATELIER_SECRET_ACCEPTED",
    z
      .string()
      .default("")
      .transform(splitLines)
      .refine((secrets) => secrets.every(({ length }) => length >= 32), {
        error: "each line must be a secret of at least 32 characters",
      }),
    "Further secrets, one a line, whose signatures are accepted. See [rotating secrets](secrets.md).",
    true,
  ),
  contentCredentials: key(
    z.enum(["on", "off"]).default("on"),
    "`off`: workers store outputs without [Content Credentials](content-credentials.md).",
  ),
  contentCredentialsCert: key(
    text,
    "Certificates that sign outputs (PEM), each with its issuers. The one that became valid last signs. Required for workers in production; core trusts them.",
  ),
  contentCredentialsKey: key(
    text,
    "Private keys of these certificates (PKCS#8 PEM, ECDSA P-256), for workers alone.",
    linesOf,
  ),
  contentCredentialsTrust: key(
    text,
    "Certificates of further authorities whose Content Credentials are trusted (PEM).",
  ),
  receiptKeys: key(
    text,
    "Ed25519 private keys (PKCS#8 PEM) for core and workers. The first signs [receipts](../guide/receipts.md); the public halves of all are published.",
    linesOf,
  ),
  logWitnesses: key(
    logWitnesses,
    "[Witnesses](monitoring.md#witnesses-of-the-public-log) that cosign the public log, for core and workers: `KEY URL`, separated by commas.",
  ),
  serviceKey: key(
    text,
    "Ed25519 private key (PKCS#8 PEM) with which gateway, mcp and the CLI, each with its own, sign service tokens. Required in production.",
    true,
  ),
  serviceTrustedKeys: key(
    trustedKeysSchema,
    'JWK set of the public keys that core accepts service tokens from, each with `name` (`gateway`, `mcp`, `cli` or another service) and, for other services, `scopes`: an array of what its tokens may claim. `"act-as"` is the right to act for accounts without their keys. Required for core in production.',
  ),
  grpcTlsCert: key(text, "Path of core's certificate chain (PEM): turns TLS on for gRPC."),
  grpcTlsKey: key(text, "Path of its private key (PEM)."),
  grpcTlsClientCa: key(text, "Path of the CA (PEM) of core's callers: TLS is mutual."),
  coreTlsCa: key(
    text,
    "Path of the CA (PEM) of core's certificate: gateway, mcp and the CLI call core over TLS.",
  ),
  coreTlsCert: key(text, "Path of the certificate (PEM) that they present if core requires one."),
  coreTlsKey: key(text, "Path of its private key (PEM)."),
  coreTlsName: key(text, "Name in core's certificate, if it differs from its host."),
  smtpUrl: key(
    z.url({ protocol: /^smtps?$/ }).optional(),
    "Mail server, for example `smtps://user:password@mail.example.com:465`, for gateway and worker. Without it, development logs mails; in production no one signs in by mail, and other mails wait.",
    passwordsOf,
  ),
  mailFrom: key(z.string().default("Atelier <no-reply@localhost>"), "Sender of all mails."),
  payments: key(
    z.enum(["demo", "stripe", "none"]).optional(),
    "[Payment provider](payments.md): `stripe`, `demo` (takes no money; the default in development) or `none` (the default in production).",
  ),
  seller: key(
    z.string().max(500).default("Atelier"),
    "Name, address and tax id of the seller on invoices, one a line.",
  ),
  stripeSecretKey: key(
    z
      .string()
      .regex(
        /^[rs]k_(?:test|live)_\w+$/,
        "must be a secret or a restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…",
      )
      .optional(),
    "Key for Stripe's API, in production one of live mode.",
    true,
  ),
  stripeWebhookSecrets: named(
    "ATELIER_STRIPE_WEBHOOK_SECRET",
    list.refine((secrets) => secrets.every((secret) => /^whsec_\S+$/.test(secret)), {
      error: "must be signing secrets of webhook endpoints, whsec_…, separated by commas",
    }),
    "Signing secret of the webhook endpoint at Stripe; during a rotation both, separated by a comma.",
    true,
  ),
  stripeTax: key(flag, "1: Stripe Tax adds tax to the price on Stripe's page."),
  stripeApiBase: key(
    z
      .url({ protocol: /^https?$/ })
      .refine((url) => isSafeBase(new URL(url)), { error: "must be https, or http on this machine" })
      .optional(),
    "URL that replaces Stripe's API in tests, such as `http://127.0.0.1:12111` (stripe-mock).",
  ),
  supportEmail: key(
    z.email().optional(),
    "Address of support, shown on the website, which also gets a mail of each ticket.",
  ),
  siteTexts: named(
    "ATELIER_SITE_TEXTS_DIR",
    z.string().min(1).optional(),
    "Folder with your texts of the website: `about.md`, `help.md`, `licences.md`, `privacy.md`, `terms.md`. Each replaces the demonstration text.",
  ),
  securityContact: key(
    z.url({ protocol: /^(?:https|mailto)$/ }).optional(),
    "Contact in `/.well-known/security.txt`, for example `mailto:security@example.com`. Default: the support address.",
  ),
  sessionJwksUrl: key(
    httpUrl.optional(),
    "JWKS of another system whose [sessions](production.md#sign-in) are accepted. Needs the two below.",
  ),
  sessionIssuer: key(text, "`iss` that those sessions must have."),
  sessionAudience: key(text, "`aud` that those sessions must have."),
  sessionCookie: key(
    z.string().default("session"),
    "Cookie with this session; `Authorization: Bearer` is also accepted.",
  ),
  sessionDays: key(within(1, 365, 30), "Days after which a session ends, even if it is used."),
  sessionIdleDays: key(within(1, 365, 14), "Days without use after which a session ends."),
  openAiModels: named(
    "ATELIER_OPENAI_MODELS",
    jsonText("{}").pipe(z.record(z.string().min(1).max(100), z.string().min(1).max(100))),
    'Models for the names that tools for OpenAI\'s API send: `{"gpt-image-1":"atelier-canvas"}`. Common names that are not listed mean the first live model of their kind.',
  ),
  rateLimits: key(
    z
      .enum(["on", "off"])
      .default("on")
      .transform((value) => value === "on"),
    "`off` for measurements only.",
  ),
  redisUrl: key(
    z.url({ protocol: /^rediss?$/ }).optional(),
    "Redis in which all gateways and tool servers count rates together, for example `rediss://user:password@redis.internal:6379/0`.",
    passwordsOf,
  ),
  rateCatalogPerMinute: key(atLeast(1, 300), "Catalog requests a minute per address."),
  rateGeneratePerMinute: key(atLeast(1, 60), "Generate requests a minute per key."),
  rateApiPerMinute: key(atLeast(1, 600), "Other generation requests a minute per key."),
  rateMemberPerMinute: key(atLeast(1, 120), "Member tool requests a minute per key."),
  rateFailedKeysPerMinute: key(
    atLeast(1, 20),
    "Requests with an unknown key a minute per address. Its valid keys continue to work, up to 100 lookups a second in each process.",
  ),
  rateSignInPerMinute: key(atLeast(1, 5), "Confirmations of sign-in links a minute per address."),
  newAccountsPerAddress: key(atLeast(1, 20), "New accounts a day from one address (IPv6: one /64 network)."),
  newAccountsPerNetwork: key(
    atLeast(1, 100),
    "New accounts a day from one network: /24 of IPv4, /48 of IPv6.",
  ),
  holdWelcomeCredits: key(
    flag,
    "1: the free plan's credits of a new account wait for its first purchase, or for `atelier credits approve ACCOUNT`.",
  ),
  ratePaymentEventsPerMinute: key(
    atLeast(1, 600),
    "Events of payment providers a minute per address. Providers resend refused ones.",
  ),
  rateAccountPerMinute: key(atLeast(1, 300), "Changes on the website a minute per signed-in account."),
  rateReadsPerMinute: key(atLeast(1, 600), "Reading requests on the website a minute per signed-in account."),
  openPerJob: key(atLeast(1, 20), "Open event streams and waits of one job, in each core."),
  openPerAccount: key(atLeast(1, 50), "Of one account, in each core."),
  openPerAddress: key(atLeast(1, 100), "Of one address, in each gateway or tool server."),
  openPerProcess: key(atLeast(1, 2_000), "Of each core, gateway or tool server."),
  downloadsPerAccount: key(atLeast(1, 50), "Concurrent reads of one account's files, in each core."),
  uploadsPerAccount: key(
    atLeast(1, 4),
    "Concurrent uploads of one account, in each core, with files fetched for its jobs.",
  ),
  uploadsKept: key(atLeast(1, 200), "Uploads that one account may keep."),
  uploadsKeptMb: key(atLeast(1, 2_048), "MiB of all uploads of one account."),
  outputDays: key(
    within(1, MAX_KEEP_DAYS, 30),
    "Days for which files of jobs are kept. Requests can ask for fewer (`keep_days`).",
  ),
  uploadDays: key(within(1, 90, 7), "Days for which an upload is kept."),
  inputFetchMs: key(
    within(100, 40_000, 30_000),
    "Time limit for fetching a URL that a job names as an input.",
  ),
  maxProductFileMb: key(atLeast(1, 512), "Largest file in MiB that an operator may add to a product."),
  stallMs: key(atLeast(100, 30_000), "Time after which a client that reads nothing is disconnected."),
  maxConnections: key(
    atLeast(1, 10_000),
    "Connections to the public HTTP port. Further ones are closed immediately.",
  ),
  maxConnectionsPerAddress: key(
    atLeast(1, 256),
    "The same for one address (IPv6: one /64 network), except behind a proxy (`ATELIER_TRUST_PROXY`). Further ones get 503.",
  ),
  trustProxy: key(flag, "`1` when a proxy in front sets X-Forwarded-For and X-Forwarded-Proto."),
  allowedOrigins: key(list, "Further browser origins that may call the tool endpoints, separated by commas."),
  callbackAllowPrivate: key(
    flag,
    "`1` allows webhooks to private addresses and over http. Development allows loopback.",
  ),
  archiveAfterDays: key(
    z.coerce
      .number()
      .int()
      .refine((days) => days === 0 || days >= MIN_ARCHIVE_DAYS, {
        error: `must be 0 or at least ${MIN_ARCHIVE_DAYS}`,
      })
      .default(400),
    "Days after which ended jobs and ledger entries move to the [archive](retention.md), and Idempotency-Keys are removed. `0` means never; otherwise at least 100.",
  ),
  workerConcurrency: key(within(1, 4096, 64), "Jobs that one worker runs at the same time."),
  workerAnswersMb: key(
    atLeast(16, 256),
    "MiB of large responses of AI SDK providers that one worker reads at the same time. One above 4 MiB counts as the limit of its kind, below. Reading needs several times that memory.",
  ),
  maxImageMb: key(
    atLeast(1, 64),
    "Largest response of an AI SDK provider for an image job, in MiB, as sent (base64 included).",
  ),
  maxAudioMb: key(atLeast(1, 32), "The same for an audio job."),
  maxVideoMb: key(atLeast(1, 128), "The same for a video job."),
  leaseMs: key(atLeast(500, 15_000), "How long a worker's claim on a job lasts without a heartbeat."),
  leaveMs: key(
    z.coerce.number().int().min(0).max(120_000).optional(),
    "Time for which a stopping process that is not ready still accepts requests, so that load balancers notice. Default: 10000 in production, otherwise 100.",
  ),
  drainMs: key(
    atLeast(0, 10_000),
    "Time for which running jobs may continue after SIGTERM before their leases are released.",
  ),
  aiSdkProviders: key(
    aiSdkProviders,
    "JSON object of [AI SDK providers](providers.md#providers-with-an-ai-sdk-package): name -> {package, export, options, privateHosts}. Addresses outside `options`, such as that of a file or redirect, must be public, except `privateHosts` (with or without a port).",
    (providers) => Object.values(providers).map(({ options }) => options),
  ),
  httpQueueProviders: key(
    httpQueueProviders,
    "JSON object of [providers with a queue](providers.md#any-other-queue), such as fal and Replicate.",
    (providers) =>
      Object.values(providers).map(({ headers, webhook }) => [
        headers,
        webhook?.signature?.kind === "standard" && webhook.signature.secret,
      ]),
  ),
  providerWebhookUrl: key(
    z.union([z.literal("off"), httpUrl]).optional(),
    "Public URL of a gateway for webhooks of providers, or `off`. Default: the generation base URL if it uses https. Core and worker need the same value.",
  ),
  demoProducts: key(
    z.coerce.number().int().min(0).optional(),
    "How many products the development profile seeds.",
  ),
  logLevel: key(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "Lowest level of log lines that are written.",
  ),
  otlpEndpoint: named(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    httpUrl.optional(),
    "URL of a collector of OTLP over HTTP, for example `http://collector:4318`, to which `/v1/traces` is added. Without this and the next one, there are no [traces](tracing.md).",
    passwordsOf,
  ),
  otlpTracesEndpoint: named(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    httpUrl.optional(),
    "Full URL for traces; takes precedence.",
    passwordsOf,
  ),
  otlpHeaders: named(
    "OTEL_EXPORTER_OTLP_HEADERS",
    pairs,
    "Headers for the collector, such as its key: `name=value,name=value`.",
    true,
  ),
  otlpProtocol: named(
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    z.enum(["http/protobuf"]).default("http/protobuf"),
    "Protocol of traces; no other is supported.",
  ),
  otlpTimeoutMs: named(
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    within(1, 60_000, 10_000),
    "Milliseconds that the collector has to respond.",
  ),
  spansDelayMs: named(
    "OTEL_BSP_SCHEDULE_DELAY",
    within(1, 60_000, 5_000),
    "Milliseconds between sending spans.",
  ),
  tracesSampler: named(
    "OTEL_TRACES_SAMPLER",
    z.enum(TRACE_SAMPLERS).default("parentbased_always_on"),
    `Which traces are kept: ${TRACE_SAMPLERS.map((name) => `\`${name}\``).join(", ")}. Those with \`parentbased_\` follow the client's \`traceparent\`, if there is one.`,
  ),
  tracesSamplerArg: named(
    "OTEL_TRACES_SAMPLER_ARG",
    z.coerce.number().min(0).max(1).default(1),
    "Share of traces that `traceidratio` keeps, from 0 to 1; the same on every process.",
  ),
  otelServiceName: named(
    "OTEL_SERVICE_NAME",
    z.string().min(1).optional(),
    "Name of this process in traces. Default: `atelier-` and its role.",
  ),
  otelResourceAttributes: named(
    "OTEL_RESOURCE_ATTRIBUTES",
    pairs,
    "Further attributes in traces: `deployment.environment.name=live,host.name=a1`.",
  ),
  otelDisabled: named(
    "OTEL_SDK_DISABLED",
    z
      .enum(["true", "false"])
      .default("false")
      .transform((value) => value === "true"),
    "`true` turns traces off.",
  ),
} as const;

type Keys = typeof KEYS;

/** Every setting: its environment variable, its shape with the default, and its meaning. */
export const CONFIG_KEYS = Object.fromEntries(
  Object.entries(KEYS).map(([name, found]) => [name, { env: variableOf(name), ...found }]),
) as { readonly [K in keyof Keys]: Keys[K] & { readonly env: string } };
