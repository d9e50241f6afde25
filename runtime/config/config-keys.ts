// Every setting: its environment variable, shape and meaning. docs/operations/configuration.md and deploy/.env.example are made from this list.
import { z } from "zod";
import { MAX_KEEP_DAYS } from "../../proto/resources/job.ts";
import { httpQueueProviders } from "./http-queue-settings.ts";
import { jsonText } from "./json-text.ts";
import { ALLOWANCES } from "./production.ts";
import { trustedKeysSchema } from "./trusted-keys.ts";

/** Says which part of a value is secret: the whole value (`true`), or the texts that the function returns. */
type Secret<T extends z.ZodType> = true | ((value: z.output<T>) => unknown);
type Key<T extends z.ZodType> = { env: string; schema: T; doc: string; secret?: Secret<T> };

function key<T extends z.ZodType>(env: string, schema: T, doc: string, secret?: Secret<T>): Key<T> {
  return { env, schema, doc, ...(secret && { secret }) };
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

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
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

/** The longest period that any report looks back: spending looks back 90 days, and credits for missed periods two months. */
const MIN_ARCHIVE_DAYS = 100;
const TRACE_SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export const ROLES = ["core", "worker", "gateway", "mcp"] as const;

/** Every setting: its environment variable, its shape with the default, and its meaning. */
export const CONFIG_KEYS = {
  profile: key(
    "NODE_ENV",
    z
      .enum(["development", "test", "production"])
      .default("development")
      .transform((value) => (value === "production" ? value : "development")),
    "`development`, `test` (the same) or `production`; anything else is refused. `production` seeds nothing, and does not start without the secrets below or with what `ATELIER_ALLOW_INSECURE` lists.",
  ),
  allowInsecure: key(
    "ATELIER_ALLOW_INSECURE",
    z
      .string()
      .default("")
      .transform(splitList)
      .pipe(z.array(z.enum(ALLOWANCES))),
    `Comma-separated names of what production refuses and this installation accepts anyway: ${ALLOWANCES.map((name) => `\`${name}\``).join(", ")}.`,
  ),
  allowDev: key(
    "ATELIER_ALLOW_DEV",
    flag,
    "1: development may use a database on another machine. Without it `MONGODB_URI` must be on loopback or a unix socket unless `NODE_ENV` is `production`, because development writes sample data and prints keys.",
  ),
  roles: key(
    "ATELIER_ROLES",
    z
      .string()
      .default(ROLES.join(","))
      .transform((value) => value.split(",").map((role) => role.trim()))
      .pipe(z.array(z.enum(ROLES)).min(1)),
    "Comma-separated roles that this process runs.",
  ),
  host: key(
    "ATELIER_HOST",
    z.string().default("127.0.0.1"),
    "Address on which the public HTTP port listens.",
  ),
  httpPort: key(
    "ATELIER_HTTP_PORT",
    port(8080),
    "Public HTTP port: REST, website and tool endpoints. 0 picks a free one.",
  ),
  grpcHost: key(
    "ATELIER_GRPC_HOST",
    z.string().default("127.0.0.1"),
    "Address on which core's gRPC port listens.",
  ),
  grpcPort: key("ATELIER_GRPC_PORT", port(50_051), "gRPC port of core. 0 picks a free one."),
  coreAddress: key(
    "ATELIER_CORE_ADDRESS",
    z.string().optional(),
    "Where gateway and mcp find core (a gRPC target). Default: the loopback gRPC port.",
  ),
  opsPort: key(
    "ATELIER_OPS_PORT",
    port(9464),
    "Port for /healthz, /readyz, /metrics and the operator's page. 0 picks a free one.",
  ),
  opsHost: key(
    "ATELIER_OPS_HOST",
    z.string().default("127.0.0.1"),
    "Address on which that port listens. The port needs no key. If probes and scrapers run on other machines, use `0.0.0.0` in a private network.",
  ),
  opsNames: key(
    "ATELIER_OPS_NAMES",
    z.string().default("").transform(splitList),
    "Comma-separated names by which probes and scrapers may call that port, such as `core.monitoring.example`. IP addresses, names without a dot and the machine's own name are always accepted. Every other `Host` is refused, so that a website cannot reach the port through an operator's browser.",
  ),
  mongodbUri: key(
    "MONGODB_URI",
    z.string().optional(),
    "A replica set or sharded cluster to use. When set, nothing embedded is started.",
    passwordsOf,
  ),
  mongoDatabase: key("ATELIER_MONGO_DATABASE", z.string().default("atelier"), "Name of the database."),
  mongoPort: key(
    "ATELIER_MONGO_PORT",
    port(27_027),
    "Loopback port of the embedded MongoDB. 0 picks a free one.",
  ),
  mongodPath: key(
    "ATELIER_MONGOD",
    z.string().optional(),
    "Path of the mongod to embed. Default: the PATH, then the cache, then a download.",
  ),
  dataDir: key(
    "ATELIER_DATA_DIR",
    z.string().default(".data"),
    "Folder of the embedded database, development keys and `demo.json`.",
  ),
  minFreeMb: key(
    "ATELIER_MIN_FREE_MB",
    z.coerce.number().int().min(0).default(512),
    "MiB that must be free on the disk of the embedded database. With less, the service accepts and starts no jobs; everything else continues. mongod needs 128 MiB for its journal and exits without it.",
  ),
  s3Endpoint: key(
    "ATELIER_S3_ENDPOINT",
    z.url({ protocol: /^https?$/ }).optional(),
    "S3-compatible storage for the outputs of jobs, addressed in path style, for example `https://s3.eu-central-1.amazonaws.com`. Without it, outputs are stored in the database. Needs bucket and keys.",
  ),
  s3Bucket: key(
    "ATELIER_S3_BUCKET",
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "not the name of a bucket")
      .optional(),
    "Bucket of that storage. It must exist.",
  ),
  s3Region: key(
    "ATELIER_S3_REGION",
    z.string().default("us-east-1"),
    "Region of that storage, used to sign requests.",
  ),
  s3AccessKeyId: key(
    "ATELIER_S3_ACCESS_KEY_ID",
    z.string().optional(),
    "Access key that may put, get and delete objects in the bucket.",
  ),
  s3SecretAccessKey: key("ATELIER_S3_SECRET_ACCESS_KEY", z.string().optional(), "Its secret.", true),
  baseUrl: key(
    "ATELIER_BASE_URL",
    z.url().optional(),
    "Public address of catalog, website and member tools. Default: the HTTP port on localhost.",
  ),
  generationBaseUrl: key(
    "ATELIER_GENERATION_BASE_URL",
    z.url().optional(),
    "Public address of the generation API and its tool endpoint. Default: the base URL.",
  ),
  secret: key(
    "ATELIER_SECRET",
    z.string().min(32).optional(),
    "At least 32 characters; signs output URLs and session cookies. Required in production, else made in the data folder.",
    true,
  ),
  secretsAccepted: key(
    "ATELIER_SECRET_ACCEPTED",
    z
      .string()
      .default("")
      .transform(splitLines)
      .refine((secrets) => secrets.every(({ length }) => length >= 32), {
        error: "each line must be a secret of at least 32 characters",
      }),
    "Further secrets, one a line. Their signatures and seals are accepted, but nothing is signed with them. List the next secret here until every process has it, then the previous one until everything it signed has expired. See [rotating secrets](secrets.md).",
    true,
  ),
  contentCredentials: key(
    "ATELIER_CONTENT_CREDENTIALS",
    z.enum(["on", "off"]).default("on"),
    "Whether workers sign outputs with Content Credentials (C2PA). `off` stores outputs without a signature; production then logs a warning at every start. See [Content Credentials](content-credentials.md).",
  ),
  contentCredentialsCert: key(
    "ATELIER_CONTENT_CREDENTIALS_CERT",
    z.string().optional(),
    "The certificates that workers sign with (PEM), each with its chain of issuers. List several during a rotation: the one that became valid last signs. Required for workers in production; otherwise made in the data folder. Core needs them, without the key, to trust the service's own signatures.",
  ),
  contentCredentialsKey: key(
    "ATELIER_CONTENT_CREDENTIALS_KEY",
    z.string().optional(),
    "The private keys of these certificates (PKCS#8 PEM, ECDSA P-256), in any order. For workers alone.",
    linesOf,
  ),
  contentCredentialsTrust: key(
    "ATELIER_CONTENT_CREDENTIALS_TRUST",
    z.string().optional(),
    "Certificates of authorities (PEM), such as a trust list. Content Credentials that they issued are trusted, in addition to those of the service itself.",
  ),
  receiptKeys: key(
    "ATELIER_RECEIPT_KEYS",
    z.string().optional(),
    "Ed25519 private keys (PKCS#8 PEM) for core and workers. The first signs [receipts](../guide/receipts.md); the public halves of all are published. Without one, production signs no receipts; development makes one in the data folder.",
    linesOf,
  ),
  serviceKey: key(
    "ATELIER_SERVICE_KEY",
    z.string().optional(),
    "Ed25519 private key (PKCS#8 PEM) with which a gateway, a tool server or the CLI signs its service tokens. Each process has its own. Required in production; otherwise made in the data folder.",
    true,
  ),
  serviceTrustedKeys: key(
    "ATELIER_SERVICE_TRUSTED_KEYS",
    trustedKeysSchema,
    'JWK set (JSON) of the public keys that core accepts service tokens from, each with `name`: `gateway`, `mcp`, `cli` or another service; and with `scopes`, an array of what its tokens may claim at most (needed for other services; `"act-as"` is the right to act for accounts without their keys). Required for core in production; several keys of one name overlap while one replaces the other. In development those of the data folder are accepted besides.',
  ),
  grpcTlsCert: key(
    "ATELIER_GRPC_TLS_CERT",
    z.string().optional(),
    "Path of core's certificate chain (PEM): gRPC is served over TLS. Needs its key.",
  ),
  grpcTlsKey: key("ATELIER_GRPC_TLS_KEY", z.string().optional(), "Path of its private key (PEM)."),
  grpcTlsClientCa: key(
    "ATELIER_GRPC_TLS_CLIENT_CA",
    z.string().optional(),
    "Path of the authority (PEM) that signs the certificates of core's callers: TLS is mutual.",
  ),
  coreTlsCa: key(
    "ATELIER_CORE_TLS_CA",
    z.string().optional(),
    "Path of the authority (PEM) that signed core's certificate: gateway, mcp and the CLI call core over TLS.",
  ),
  coreTlsCert: key(
    "ATELIER_CORE_TLS_CERT",
    z.string().optional(),
    "Path of the certificate (PEM) that they present if core requires one. Needs its key.",
  ),
  coreTlsKey: key("ATELIER_CORE_TLS_KEY", z.string().optional(), "Path of its private key (PEM)."),
  coreTlsName: key(
    "ATELIER_CORE_TLS_NAME",
    z.string().optional(),
    "Name in core's certificate, if it differs from the host of its address.",
  ),
  smtpUrl: key(
    "ATELIER_SMTP_URL",
    z.url({ protocol: /^smtps?$/ }).optional(),
    "Mail server for sign-in links and, from the worker, all other mails; for example `smtps://user:password@mail.example.com:465`. Without it, the development profile sends no mail: `npm start` shows the first link of each, and the log contains the whole mail. In production, users cannot sign in by email, and mails wait in the outbox.",
    passwordsOf,
  ),
  mailFrom: key(
    "ATELIER_MAIL_FROM",
    z.string().default("Atelier <no-reply@localhost>"),
    "Sender of all mails.",
  ),
  payments: key(
    "ATELIER_PAYMENTS",
    z.enum(["demo", "stripe", "none"]).optional(),
    "Payment provider: `stripe` (see [payments](payments.md)), `demo`, which takes no money and is refused in production, or `none`, with which only free items can be ordered. Default: `demo` in development, `none` in production.",
  ),
  stripeSecretKey: key(
    "ATELIER_STRIPE_SECRET_KEY",
    z
      .string()
      .regex(
        /^[rs]k_(?:test|live)_\w+$/,
        "must be a secret or a restricted key of Stripe: sk_test_…, sk_live_…, rk_test_… or rk_live_…",
      )
      .optional(),
    "Key for Stripe's API. Required for `stripe`. Production refuses a test mode key, because orders would be fulfilled without payment.",
    true,
  ),
  stripeWebhookSecrets: key(
    "ATELIER_STRIPE_WEBHOOK_SECRET",
    z
      .string()
      .default("")
      .transform(splitList)
      .refine((secrets) => secrets.every((secret) => /^whsec_\S+$/.test(secret)), {
        error: "must be signing secrets of webhook endpoints, whsec_…, separated by commas",
      }),
    "Signing secret of the webhook endpoint at Stripe. Required for `stripe`. During a rotation, list both, separated by a comma.",
    true,
  ),
  stripeTax: key(
    "ATELIER_STRIPE_TAX",
    flag,
    "1: Stripe Tax reckons the tax, and adds it to the price on Stripe's page. 0: there is none.",
  ),
  stripeApiBase: key(
    "ATELIER_STRIPE_API_BASE",
    z
      .url({ protocol: /^https?$/ })
      .refine((url) => isSafeBase(new URL(url)), { error: "must be https, or http on this machine" })
      .optional(),
    "URL that replaces Stripe's API in tests, for example that of stripe-mock: `http://127.0.0.1:12111`.",
  ),
  supportEmail: key(
    "ATELIER_SUPPORT_EMAIL",
    z.email().optional(),
    "Address or URL of support, shown on the website. Users need it for requests such as a member key or another plan.",
  ),
  siteTexts: key(
    "ATELIER_SITE_TEXTS_DIR",
    z.string().min(1).optional(),
    "Folder with Markdown texts of the website, read at the start: `about.md`, `help.md`, `licences.md`, `privacy.md`, `terms.md`. Each replaces the demonstration text of the same name.",
  ),
  securityContact: key(
    "ATELIER_SECURITY_CONTACT",
    z.url({ protocol: /^(?:https|mailto)$/ }).optional(),
    "Contact for reports of vulnerabilities in `/.well-known/security.txt`, for example `mailto:security@example.com`. Default: the support address. Without either, the file does not exist.",
  ),
  sessionJwksUrl: key(
    "ATELIER_SESSION_JWKS_URL",
    z.url({ protocol: /^https?$/ }).optional(),
    "Key set (JWKS) of another system whose sessions are accepted on the website: a JWT with `email`, `email_verified: true` and `exp`. Needs the two below.",
  ),
  sessionIssuer: key("ATELIER_SESSION_ISSUER", z.string().optional(), "`iss` that those sessions must have."),
  sessionAudience: key(
    "ATELIER_SESSION_AUDIENCE",
    z.string().optional(),
    "`aud` that those sessions must have.",
  ),
  sessionCookie: key(
    "ATELIER_SESSION_COOKIE",
    z.string().default("session"),
    "Cookie with this JWT. `Authorization: Bearer` is also accepted.",
  ),
  sessionDays: key(
    "ATELIER_SESSION_DAYS",
    z.coerce.number().int().min(1).max(365).default(30),
    "Days after which a session ends, even if it is used.",
  ),
  sessionIdleDays: key(
    "ATELIER_SESSION_IDLE_DAYS",
    z.coerce.number().int().min(1).max(365).default(14),
    "Days without use after which a session ends.",
  ),
  openAiModels: key(
    "ATELIER_OPENAI_MODELS",
    jsonText("{}").pipe(z.record(z.string().min(1).max(100), z.string().min(1).max(100))),
    'Which model a name means that tools for OpenAI\'s API send (JSON): `{"gpt-image-1":"atelier-canvas"}`. A common name that is not listed, such as `dall-e-3` or `tts-1`, means the first live model of its kind.',
  ),
  rateLimits: key(
    "ATELIER_RATE_LIMITS",
    z
      .enum(["on", "off"])
      .default("on")
      .transform((value) => value === "on"),
    "`off` for measurements only.",
  ),
  redisUrl: key(
    "ATELIER_REDIS_URL",
    z.url({ protocol: /^rediss?$/ }).optional(),
    "Redis for rate limits that all gateways and tool servers share, for example `rediss://user:password@redis.internal:6379/0`. Without it, each process counts on its own.",
    passwordsOf,
  ),
  rateCatalogPerMinute: key(
    "ATELIER_RATE_CATALOG",
    z.coerce.number().int().min(1).default(300),
    "Catalog requests a minute per address.",
  ),
  rateGeneratePerMinute: key(
    "ATELIER_RATE_GENERATE",
    z.coerce.number().int().min(1).default(60),
    "Generate requests a minute per key.",
  ),
  rateApiPerMinute: key(
    "ATELIER_RATE_API",
    z.coerce.number().int().min(1).default(600),
    "Other generation requests a minute per key.",
  ),
  rateMemberPerMinute: key(
    "ATELIER_RATE_MEMBER",
    z.coerce.number().int().min(1).default(120),
    "Member tool requests a minute per key.",
  ),
  rateFailedKeysPerMinute: key(
    "ATELIER_RATE_FAILED_KEYS",
    z.coerce.number().int().min(1).default(20),
    "Requests with an unknown key a minute per address. Malformed keys and requests with an `Origin` do not count. Valid keys of the same address continue to work: beyond the limit, each key is looked up once, at most 100 a second in each process.",
  ),
  rateSignInPerMinute: key(
    "ATELIER_RATE_SIGN_IN",
    z.coerce.number().int().min(1).default(5),
    "Confirmations of sign-in links a minute per address. Separate quotas limit how many links are mailed.",
  ),
  newAccountsPerAddress: key(
    "ATELIER_NEW_ACCOUNTS_PER_ADDRESS",
    z.coerce.number().int().min(1).default(20),
    "New accounts a day from one address (of IPv6, one /64 network). Accounts created by operators do not count.",
  ),
  newAccountsPerNetwork: key(
    "ATELIER_NEW_ACCOUNTS_PER_NETWORK",
    z.coerce.number().int().min(1).default(100),
    "New accounts a day from one network: /24 of IPv4, /48 of IPv6.",
  ),
  holdWelcomeCredits: key(
    "ATELIER_HOLD_WELCOME_CREDITS",
    flag,
    "1: the free plan's credits of a new account wait for its first purchase, or for `atelier credits approve ACCOUNT`. Accounts that an operator makes get them immediately.",
  ),
  ratePaymentEventsPerMinute: key(
    "ATELIER_RATE_PAYMENT_EVENTS",
    z.coerce.number().int().min(1).default(600),
    "Events of payment providers a minute per address, counted separately from all other requests. Providers resend refused events.",
  ),
  rateAccountPerMinute: key(
    "ATELIER_RATE_ACCOUNT",
    z.coerce.number().int().min(1).default(300),
    "Changes on the website a minute per signed-in account.",
  ),
  rateReadsPerMinute: key(
    "ATELIER_RATE_READS",
    z.coerce.number().int().min(1).default(600),
    "Reading requests on the website a minute per signed-in account.",
  ),
  openPerJob: key(
    "ATELIER_OPEN_PER_JOB",
    z.coerce.number().int().min(1).default(20),
    "Event streams and waits open at the same time for one job, in each core.",
  ),
  openPerAccount: key(
    "ATELIER_OPEN_PER_ACCOUNT",
    z.coerce.number().int().min(1).default(50),
    "The same for one account, in each core.",
  ),
  openPerAddress: key(
    "ATELIER_OPEN_PER_ADDRESS",
    z.coerce.number().int().min(1).default(100),
    "The same for one address, in each gateway or tool server.",
  ),
  openPerProcess: key(
    "ATELIER_OPEN_PER_PROCESS",
    z.coerce.number().int().min(1).default(2_000),
    "The same for all of them together, in each core, gateway or tool server.",
  ),
  downloadsPerAccount: key(
    "ATELIER_DOWNLOADS_PER_ACCOUNT",
    z.coerce.number().int().min(1).default(50),
    "Concurrent reads of one account's files, by key, session or signed URL, in each core.",
  ),
  uploadsPerAccount: key(
    "ATELIER_UPLOADS_PER_ACCOUNT",
    z.coerce.number().int().min(1).default(4),
    "Concurrent uploads of one account, including files fetched for its jobs, in each core.",
  ),
  uploadsKept: key(
    "ATELIER_UPLOADS_KEPT",
    z.coerce.number().int().min(1).default(200),
    "Uploads that one account may keep.",
  ),
  uploadsKeptMb: key(
    "ATELIER_UPLOADS_KEPT_MB",
    z.coerce.number().int().min(1).default(2_048),
    "MiB that all uploads of one account may have in total.",
  ),
  outputDays: key(
    "ATELIER_OUTPUT_DAYS",
    z.coerce.number().int().min(1).max(MAX_KEEP_DAYS).default(30),
    "Days for which the files of a job are kept. A request can ask for fewer with keep_days.",
  ),
  uploadDays: key(
    "ATELIER_UPLOAD_DAYS",
    z.coerce.number().int().min(1).max(90).default(7),
    "Days for which an upload is kept.",
  ),
  inputFetchMs: key(
    "ATELIER_INPUT_FETCH_MS",
    z.coerce.number().int().min(100).max(40_000).default(30_000),
    "Time limit for fetching a URL that a job names as an input, including redirects.",
  ),
  maxProductFileMb: key(
    "ATELIER_MAX_PRODUCT_FILE_MB",
    z.coerce.number().int().min(1).default(512),
    "Largest file in MiB that an operator may add to a product.",
  ),
  stallMs: key(
    "ATELIER_STALL_MS",
    z.coerce.number().int().min(100).default(30_000),
    "Time after which the connection of a client that reads nothing from its file or event stream is closed.",
  ),
  maxConnections: key(
    "ATELIER_MAX_CONNECTIONS",
    z.coerce.number().int().min(1).default(10_000),
    "Connections to the public HTTP port. Further ones are closed immediately.",
  ),
  maxConnectionsPerAddress: key(
    "ATELIER_MAX_CONNECTIONS_PER_ADDRESS",
    z.coerce.number().int().min(1).default(256),
    "Of these, how many one network address may have (IPv6: one /64 network); more get 503. Not counted behind a proxy (`ATELIER_TRUST_PROXY`), nor where rate limits are off.",
  ),
  trustProxy: key(
    "ATELIER_TRUST_PROXY",
    flag,
    "`1` when a proxy in front sets X-Forwarded-For and X-Forwarded-Proto.",
  ),
  allowedOrigins: key(
    "ATELIER_ALLOWED_ORIGINS",
    z.string().default("").transform(splitList),
    "Comma-separated browser origins that may call the tool endpoints, in addition to the base URLs.",
  ),
  callbackAllowPrivate: key(
    "ATELIER_CALLBACK_ALLOW_PRIVATE",
    flag,
    "`1` allows webhooks to private addresses and over http. The development profile allows loopback only.",
  ),
  archiveAfterDays: key(
    "ATELIER_ARCHIVE_AFTER_DAYS",
    z.coerce
      .number()
      .int()
      .refine((days) => days === 0 || days >= MIN_ARCHIVE_DAYS, {
        error: `must be 0 or at least ${MIN_ARCHIVE_DAYS}`,
      })
      .default(400),
    "Days after which completed and failed jobs with their deliveries, and ledger entries, move from the collections into sealed segments in the file storage, and Idempotency-Keys are removed. `0` means never; otherwise at least 100. See [keeping data for years](retention.md).",
  ),
  workerConcurrency: key(
    "ATELIER_WORKER_CONCURRENCY",
    z.coerce.number().int().min(1).max(4096).default(64),
    "Jobs that one worker runs at the same time.",
  ),
  workerAnswersMb: key(
    "ATELIER_WORKER_ANSWERS_MB",
    z.coerce.number().int().min(16).default(256),
    "MiB of large responses of AI SDK providers that one worker reads at the same time, over all its jobs; further ones wait. Reading one can need several times as much memory. A response above 4 MiB counts as the whole limit of its kind.",
  ),
  maxImageMb: key(
    "ATELIER_MAX_IMAGE_MB",
    z.coerce.number().int().min(1).default(64),
    "Largest response of an AI SDK provider for one image job, in MiB, including base64 if it is used.",
  ),
  maxAudioMb: key(
    "ATELIER_MAX_AUDIO_MB",
    z.coerce.number().int().min(1).default(32),
    "The same for an audio job.",
  ),
  maxVideoMb: key(
    "ATELIER_MAX_VIDEO_MB",
    z.coerce.number().int().min(1).default(128),
    "The same for a video job.",
  ),
  leaseMs: key(
    "ATELIER_LEASE_MS",
    z.coerce.number().int().min(500).default(15_000),
    "How long a worker's claim on a job lasts without a heartbeat.",
  ),
  leaveMs: key(
    "ATELIER_LEAVE_MS",
    z.coerce.number().int().min(0).max(120_000).optional(),
    "Time for which a stopping gateway, tool server or core still accepts requests while `/readyz` and the gRPC health service report that it is not ready. It must be longer than the load balancer takes to notice. Default: 10000 in production, otherwise 100.",
  ),
  drainMs: key(
    "ATELIER_DRAIN_MS",
    z.coerce.number().int().min(0).default(10_000),
    "Time for which running jobs may continue after SIGTERM before their leases are released.",
  ),
  aiSdkProviders: key(
    "ATELIER_AI_SDK_PROVIDERS",
    aiSdkProviders,
    'JSON object: name that models give as their provider -> {package, export, options, privateHosts} of a Vercel AI SDK provider, for example `{"openai": {"package": "@ai-sdk/openai", "export": "createOpenAI", "options": {"apiKey": "${env.OPENAI_API_KEY}"}}}`. `${env.NAME}` inside a string is replaced by that variable. Addresses in `options` are connected to as they are; every other one that the provider names, such as that of a file or of a redirect, only where it is public. `privateHosts` names hosts, with or without a port, that may be private.',
    (providers) => Object.values(providers).map(({ options }) => options),
  ),
  httpQueueProviders: key(
    "ATELIER_HTTP_QUEUE_PROVIDERS",
    httpQueueProviders,
    "JSON object of providers with a queue and JSON responses, such as fal and Replicate. Each key is the name that models give as their provider: see [providers](providers.md). `${env.NAME}` inside a string is replaced by that variable.",
    (providers) =>
      Object.values(providers).map(({ headers, webhook }) => [
        headers,
        webhook?.signature?.kind === "standard" && webhook.signature.secret,
      ]),
  ),
  providerWebhookUrl: key(
    "ATELIER_PROVIDER_WEBHOOK_URL",
    z.union([z.literal("off"), z.url({ protocol: /^https?$/ })]).optional(),
    "Public URL of a gateway that receives webhooks of providers when a call has ended, or `off`: providers are then only polled. Default: the generation base URL if it uses https. Core and worker need the same value.",
  ),
  demoProducts: key(
    "ATELIER_DEMO_PRODUCTS",
    z.coerce.number().int().min(0).optional(),
    "How many products the development profile seeds.",
  ),
  logLevel: key(
    "ATELIER_LOG_LEVEL",
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "Lowest level of log lines that are written.",
  ),
  otlpEndpoint: key(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    z.url({ protocol: /^https?$/ }).optional(),
    "URL of a collector that accepts OTLP over HTTP, for example `http://collector:4318`. Traces are sent to `/v1/traces` below it. Without this URL and the next one, there are no traces: see [traces](tracing.md).",
    passwordsOf,
  ),
  otlpTracesEndpoint: key(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    z.url({ protocol: /^https?$/ }).optional(),
    "The full URL for traces, to which nothing is added. It takes precedence over the previous setting.",
    passwordsOf,
  ),
  otlpHeaders: key(
    "OTEL_EXPORTER_OTLP_HEADERS",
    pairs,
    "Headers for the collector, such as its key: `name=value,name=value`.",
    true,
  ),
  otlpProtocol: key(
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    z.enum(["http/protobuf"]).default("http/protobuf"),
    "Protocol of traces. Only one is supported.",
  ),
  otlpTimeoutMs: key(
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    z.coerce.number().int().min(1).max(60_000).default(10_000),
    "Time in milliseconds that the collector has to respond. Only spans wait for it.",
  ),
  spansDelayMs: key(
    "OTEL_BSP_SCHEDULE_DELAY",
    z.coerce.number().int().min(1).max(60_000).default(5_000),
    "How often spans are sent, in milliseconds.",
  ),
  tracesSampler: key(
    "OTEL_TRACES_SAMPLER",
    z.enum(TRACE_SAMPLERS).default("parentbased_always_on"),
    `Which traces are kept: ${TRACE_SAMPLERS.map((name) => `\`${name}\``).join(", ")}. Those with \`parentbased_\` keep what the client that sent \`traceparent\` keeps, and decide by the rest of their name where there is none.`,
  ),
  tracesSamplerArg: key(
    "OTEL_TRACES_SAMPLER_ARG",
    z.coerce.number().min(0).max(1).default(1),
    "For the samplers with `traceidratio`: the share of traces to keep, from 0 to 1. Every process needs the same value.",
  ),
  otelServiceName: key(
    "OTEL_SERVICE_NAME",
    z.string().min(1).optional(),
    "Name of this process in traces. Default: `atelier-` and its role, such as `atelier-core`.",
  ),
  otelResourceAttributes: key(
    "OTEL_RESOURCE_ATTRIBUTES",
    pairs,
    "Further attributes of this process in traces: `deployment.environment.name=live,host.name=a1`.",
  ),
  otelDisabled: key(
    "OTEL_SDK_DISABLED",
    z
      .enum(["true", "false"])
      .default("false")
      .transform((value) => value === "true"),
    "`true` turns traces off, regardless of the other settings.",
  ),
} as const;
