// The Content Credentials of this process: whether files are signed, with which certificate, and whose signatures are trusted.
import { CONFIG_KEYS } from "../../../runtime/config/config-keys.ts";
import { type Config, ConfigError } from "../../../runtime/config/config.ts";
import {
  authoritiesIn,
  bringsOwnRoot,
  certificatesIn,
  type DatedSigner,
  readSigners,
  serialNumbersIn,
  signerAt,
  toPem,
} from "./certificates.ts";
import type { Signer } from "./cose.ts";
import { loadDevelopmentPem, readDevelopmentPem, renewalTime } from "./development-authority.ts";
import { createCredentialsEngine, type CredentialsEngine, type EngineOptions } from "./engine.ts";
import type { ManifestReport } from "./report.ts";
import type { OwnIssuer } from "./verdict-rules.ts";

type Settings = Pick<
  Config,
  | "profile"
  | "dataDir"
  | "contentCredentials"
  | "contentCredentialsCert"
  | "contentCredentialsKey"
  | "contentCredentialsTrust"
>;

export type ContentCredentials = {
  readonly mode: Config["contentCredentials"];
  readonly engine: CredentialsEngine;
  /** Throws ConfigError if no certificate may sign at this time. */
  signer(now: Date): Promise<Signer>;
  /** Certificates (PEM) of the authorities that are trusted when a file is read. */
  anchors(): Promise<string>;
  /** How the certificates of this service are recognized: those that sign, and those that signed before and are still configured. */
  ownIssuer(): Promise<OwnIssuer>;
  close(): Promise<void>;
};

export function createContentCredentials(config: Settings, options: EngineOptions): ContentCredentials {
  const engine = createCredentialsEngine(options);
  let signers: readonly DatedSigner[] = [];
  return {
    mode: config.contentCredentials,
    engine,
    signer: async (now) => {
      const needed = isMadeHere(config) ? renewalTime(now) : now;
      if (!signerAt(signers, needed)) signers = await loadSigners(config, now);
      const signer = signerAt(signers, now);
      if (signer) return { key: signer.key, chain: signer.chain };
      throw new ConfigError(
        `${CONFIG_KEYS.contentCredentialsCert.env}: no certificate in it is valid at this time.`,
      );
    },
    anchors: () => loadAnchors(config),
    ownIssuer: async () => {
      const own = await loadOwn(config);
      const lists = config.contentCredentialsTrust ?? "";
      return { serialNumbers: serialNumbersIn(own), isSelfMade: bringsOwnRoot(own, lists) };
    },
    close: () => engine.close(),
  };
}

/**
 * Returns what the Content Credentials of a file say and whether they are valid, or undefined if the file or its kind has none. Throws
 * CredentialsUnavailable.
 */
export async function readCredentials(
  { credentials }: { readonly credentials: ContentCredentials },
  bytes: Uint8Array,
  mimeType: string,
): Promise<ManifestReport | undefined> {
  return credentials.engine.read({ bytes, mimeType, anchors: await credentials.anchors() });
}

/** Returns every pair of certificate and key that signs, has signed or will sign; development makes one for `now`. Throws ConfigError. */
export async function loadSigners(config: Settings, now: Date): Promise<readonly DatedSigner[]> {
  const { contentCredentialsCert: certificates, contentCredentialsKey: keys } = config;
  if (certificates !== undefined && keys !== undefined) {
    try {
      return readSigners(certificates, keys);
    } catch (error) {
      throw new ConfigError(`${CONFIG_KEYS.contentCredentialsCert.env}: ${(error as Error).message}.`);
    }
  }
  if (!isMadeHere(config)) throw new ConfigError(MISSING);
  const own = await loadDevelopmentPem(config.dataDir, now);
  return readSigners(own, own);
}

async function loadAnchors(config: Settings): Promise<string> {
  const { contentCredentialsTrust = "" } = config;
  return toPem([...authoritiesIn(await loadOwn(config)), ...certificatesIn(contentCredentialsTrust)]);
}

/** All certificates (PEM) of this service: those that sign, and those of their issuers. */
async function loadOwn(config: Settings): Promise<string> {
  return config.contentCredentialsCert ?? (isMadeHere(config) ? readDevelopmentPem(config.dataDir) : "");
}

/** Whether the service made the certificate itself, so that no one else trusts it. */
export function isMadeHere({ profile, contentCredentialsCert }: Settings): boolean {
  return profile !== "production" && contentCredentialsCert === undefined;
}

const MISSING =
  `${CONFIG_KEYS.contentCredentialsCert.env} and ${CONFIG_KEYS.contentCredentialsKey.env} are not set: in production workers sign what they store ` +
  `(docs/operations/content-credentials.md). Set both, or ${CONFIG_KEYS.contentCredentials.env}=off to store files without a signature.`;
