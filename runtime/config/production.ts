// The settings that the production profile refuses. Each refusal has a name, with which an operator may allow the setting anyway. This file
// is pure.

/** The names that ATELIER_ALLOW_INSECURE accepts. */
export const ALLOWANCES = [
  "http_base_url",
  "http_session_keys",
  "weak_secrets",
  "rate_limits_off",
  "private_callbacks",
  "plaintext_grpc",
  "stripe_test_mode",
] as const;
export type Allowance = (typeof ALLOWANCES)[number];

export type Exposed = {
  readonly baseUrl: string | undefined;
  readonly generationBaseUrl: string | undefined;
  readonly sessionJwksUrl: string | undefined;
  readonly secret: string | undefined;
  readonly secretsAccepted: readonly string[];
  readonly s3SecretAccessKey: string | undefined;
  readonly stripeSecretKey: string | undefined;
  readonly rateLimits: boolean;
  readonly callbackAllowPrivate: boolean;
  readonly grpcHost: string;
  readonly grpcTlsCert: string | undefined;
  readonly coreAddress: string | undefined;
  readonly coreTlsCa: string | undefined;
};

/** One refusal: the setting, the reason, what to do instead, and the name that allows it. */
export type Refusal = { readonly setting: keyof Exposed; readonly allow: Allowance; readonly say: string };

/**
 * The least number of different adjacent pairs of characters. 32 random hexadecimal digits have about 25, and fewer than this only once in
 * ten million times; a repeated word has a handful.
 */
const MIN_PAIRS = 12;
const MIN_S3_SECRET = 16;
/** Words that ship in examples, tutorials and images. They are long enough that no random secret contains one by chance. */
const KNOWN_WORDS = /change.?me|password|example|default|secret|atelier|qwerty|letmein|minioadmin|for.tests/i;

export function refusals(config: Exposed): Refusal[] {
  const found: Refusal[] = [];
  for (const setting of ["baseUrl", "generationBaseUrl"] as const) {
    if (isHttp(config[setting])) found.push({ setting, allow: "http_base_url", say: SAY.http_base_url });
  }
  if (isHttp(config.sessionJwksUrl))
    found.push({ setting: "sessionJwksUrl", allow: "http_session_keys", say: SAY.http_session_keys });
  if (config.secret !== undefined && isWeak(config.secret))
    found.push({ setting: "secret", allow: "weak_secrets", say: SAY.weak_secrets });
  if (config.secretsAccepted.some(isWeak))
    found.push({ setting: "secretsAccepted", allow: "weak_secrets", say: SAY.weak_secrets });
  const s3 = config.s3SecretAccessKey;
  if (s3 !== undefined && (s3.length < MIN_S3_SECRET || isWeak(s3)))
    found.push({ setting: "s3SecretAccessKey", allow: "weak_secrets", say: SAY.weak_s3_secret });
  if (/^.k_test_/.test(config.stripeSecretKey ?? ""))
    found.push({ setting: "stripeSecretKey", allow: "stripe_test_mode", say: SAY.stripe_test_mode });
  if (!config.rateLimits)
    found.push({ setting: "rateLimits", allow: "rate_limits_off", say: SAY.rate_limits_off });
  if (config.callbackAllowPrivate)
    found.push({ setting: "callbackAllowPrivate", allow: "private_callbacks", say: SAY.private_callbacks });
  if (!isLoopback(config.grpcHost) && config.grpcTlsCert === undefined)
    found.push({ setting: "grpcHost", allow: "plaintext_grpc", say: SAY.plaintext_grpc_server });
  if (config.coreAddress !== undefined && !isLoopback(hostOf(config.coreAddress)) && !config.coreTlsCa)
    found.push({ setting: "coreAddress", allow: "plaintext_grpc", say: SAY.plaintext_grpc_client });
  return found;
}

const SAY = {
  http_base_url: "it is http, so keys and sessions travel in the clear; give the https address of the proxy",
  http_session_keys: "keys that come over http can be swapped on the way; give an https address",
  weak_secrets: "it can be guessed; make one with `openssl rand -base64 32`",
  weak_s3_secret: "it can be guessed; have the store make another",
  rate_limits_off: "off is for measurements; leave it out",
  plaintext_grpc_server:
    "service tokens would travel in the clear; give core a certificate (ATELIER_GRPC_TLS_CERT), listen on loopback",
  plaintext_grpc_client:
    "service tokens would travel in the clear; name the authority of core's certificate (ATELIER_CORE_TLS_CA)",
  stripe_test_mode:
    "it is of test mode, where everybody pays with cards that cost nothing; give the key of live mode",
  private_callbacks: "clients could have this network called; leave it out",
} as const;

function isHttp(url: string | undefined): boolean {
  return url !== undefined && new URL(url).protocol === "http:";
}

/** Parses the host of a gRPC target: core:50051, dns:///core:50051, ipv4:127.0.0.1:50051, [::1]:50051, unix:/run/core.sock. */
function hostOf(target: string): string {
  if (target.startsWith("unix:")) return "localhost";
  const address = target.replace(/^(dns|ipv4|ipv6):(\/\/[^/]*\/)?/, "");
  return address.startsWith("[") ? address.slice(1, address.indexOf("]")) : (address.split(":")[0] ?? "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Removes runs such as "abcd" and "1111", repetitions, and words from examples. */
function isWeak(secret: string): boolean {
  if (KNOWN_WORDS.test(secret)) return true;
  const pairs = new Set<string>();
  for (let i = 1; i < secret.length; i++) {
    if (Math.abs(secret.charCodeAt(i) - secret.charCodeAt(i - 1)) > 1) pairs.add(secret.slice(i - 1, i + 1));
  }
  return pairs.size < MIN_PAIRS;
}
