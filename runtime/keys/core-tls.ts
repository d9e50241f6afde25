// TLS between core and its callers, from the PEM files that the configuration names.
import { readFileSync } from "node:fs";
import type { ClientTls } from "../../proto/client.ts";
import { CONFIG_KEYS } from "../config/config-keys.ts";
import { type Config, ConfigError } from "../config/config.ts";

export type ServerTls = {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The authority that must have signed the clients' certificates. Without it, clients need no certificate. */
  readonly clientCa?: Buffer;
};

/** Returns undefined if core serves without TLS. Throws ConfigError. */
export function loadServerTls(config: Config): ServerTls | undefined {
  const cert = readPem(config, "grpcTlsCert");
  const key = readPem(config, "grpcTlsKey");
  const clientCa = readPem(config, "grpcTlsClientCa");
  return cert && key && { cert, key, ...(clientCa && { clientCa }) };
}

/** Returns undefined if core is called without TLS. Throws ConfigError. */
export function loadClientTls(config: Config): ClientTls | undefined {
  const ca = readPem(config, "coreTlsCa");
  const cert = readPem(config, "coreTlsCert");
  const key = readPem(config, "coreTlsKey");
  const name = config.coreTlsName;
  return ca && { ca, ...(cert && key && { own: { cert, key } }), ...(name !== undefined && { name }) };
}

type TlsFile = "grpcTlsCert" | "grpcTlsKey" | "grpcTlsClientCa" | "coreTlsCa" | "coreTlsCert" | "coreTlsKey";

function readPem(config: Config, name: TlsFile): Buffer | undefined {
  const path = config[name];
  if (path === undefined) return undefined;
  const refuse = (why: string) => new ConfigError(`${CONFIG_KEYS[name].env}: ${path} ${why}.`);
  let pem: Buffer;
  try {
    pem = readFileSync(path);
  } catch (error) {
    throw refuse(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (!pem.includes("-----BEGIN ")) throw refuse("is not a PEM file");
  return pem;
}
