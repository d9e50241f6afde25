// Checks certificates: whose they are, until when they are valid, and whether key and authority belong to them.
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { CONFIG_KEYS } from "../../../runtime/config/config-keys.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { warn, type Finding, inWords, pass, fail } from "./finding.ts";

const DAY_MS = 86_400_000;
const SOON_DAYS = 21;
const RENEW = "make a new one and restart who uses it (docs/operations/secrets.md)";

/** Reports a certificate that ends soon, has ended, or is not valid yet; undefined if all is well. */
export function checkTime(
  about: string,
  { validFromDate, validToDate }: Times,
  now: Date,
  fix = RENEW,
): Finding {
  const days = Math.floor((validToDate.getTime() - now.getTime()) / DAY_MS);
  const day = validToDate.toISOString().slice(0, 10);
  if (validToDate <= now) return fail(about, `ended on ${day}`, fix);
  if (validFromDate > now) return fail(about, "is not good yet", "check this machine's clock");
  return days < SOON_DAYS
    ? warn(about, `ends in ${days} days, on ${day}`, fix)
    : pass(about, `good until ${day}`);
}

type Times = { readonly validFromDate: Date; readonly validToDate: Date };

/** The certificates of gRPC, as far as the settings name them. */
export function checkCertificates(config: Config, now: Date): Finding[] {
  const own = [
    { cert: "grpcTlsCert", key: "grpcTlsKey", ca: "coreTlsCa" },
    { cert: "coreTlsCert", key: "coreTlsKey", ca: "grpcTlsClientCa" },
  ] as const;
  const found = own.flatMap(({ cert, key, ca }) =>
    config[cert] === undefined
      ? []
      : reading(cert, () =>
          checkOwn(config, { cert, key, ca: config[ca] === undefined ? undefined : ca }, now),
        ),
  );
  const authorities = (["coreTlsCa", "grpcTlsClientCa"] as const).flatMap((name) =>
    config[name] === undefined
      ? []
      : reading(name, () => allIn(config, name).map((one) => checkTime(CONFIG_KEYS[name].env, one, now))),
  );
  return [...found, ...authorities];
}

type PemSetting =
  | "grpcTlsCert"
  | "grpcTlsKey"
  | "coreTlsCert"
  | "coreTlsKey"
  | "coreTlsCa"
  | "grpcTlsClientCa";

function checkOwn(
  config: Config,
  { cert, key, ca }: { cert: PemSetting; key: PemSetting; ca: PemSetting | undefined },
  now: Date,
): Finding[] {
  const about = CONFIG_KEYS[cert].env;
  const [own, ...chain] = allIn(config, cert);
  if (!own) return [fail(about, "holds no certificate", "name the file with the certificate")];
  const found = [checkTime(about, own, now)];
  if (!own.checkPrivateKey(createPrivateKey(pemOf(config, key))))
    found.push(
      fail(about, `the key of ${CONFIG_KEYS[key].env} is not its key`, "name the pair that belongs together"),
    );
  const authorities = ca === undefined ? [] : [...allIn(config, ca), ...chain];
  if (authorities.length > 0 && !authorities.some((one) => own.checkIssued(one) && own.verify(one.publicKey)))
    found.push(
      fail(
        about,
        `no authority of ${ca === undefined ? "" : CONFIG_KEYS[ca].env} has signed it`,
        "give those who call the authority that signed it",
      ),
    );
  const name = nameOfCore(config);
  if (cert === "grpcTlsCert" && name !== undefined && !isFor(own, name))
    found.push(
      fail(
        about,
        `is not for the name ${name}`,
        `make one for it, or set ${CONFIG_KEYS.coreTlsName.env} where core is called`,
      ),
    );
  return found;
}

function isFor(certificate: X509Certificate, name: string): boolean {
  const found = isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name);
  return found !== undefined;
}

/** The name by which core is called, if it is known here. */
function nameOfCore({ coreTlsName, coreAddress }: Config): string | undefined {
  return coreTlsName ?? (coreAddress === undefined ? undefined : hostAndPort(coreAddress)?.host);
}

/** The host of a gRPC target: core:50051, dns:///core:50051, ipv4:127.0.0.1:1,127.0.0.1:2. The first if there are several. */
export function hostAndPort(target: string): { host: string; port: number } | undefined {
  const address = target.replace(/^(dns|ipv4|ipv6):(\/\/[^/]*\/)?/, "").split(",")[0] ?? "";
  const [, host = "", port = ""] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? [];
  return host === "" ? undefined : { host, port: Number(port) };
}

function allIn(config: Config, name: PemSetting): X509Certificate[] {
  const blocks = pemOf(config, name).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return (blocks ?? []).map((block) => new X509Certificate(block));
}

function pemOf(config: Config, name: PemSetting): string {
  return readFileSync(config[name] ?? "", "utf8");
}

function reading(name: PemSetting, read: () => Finding[]): Finding[] {
  try {
    return read();
  } catch (error) {
    return [
      fail(CONFIG_KEYS[name].env, `cannot be used: ${inWords(error)}`, "name PEM files that can be read"),
    ];
  }
}
