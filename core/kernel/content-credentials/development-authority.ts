// The authority that a development installation makes for itself, so that its files are signed like those of production. Only readers who
// are given its certificate trust it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readOrCreate } from "../../../runtime/keys/read-or-create.ts";
import { readSigners, signerAt } from "./certificates.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const SIGNER_DAYS = 365;
/** Files are kept this long, and readers call a file invalid once its certificate has expired. */
const RENEW_BEFORE_DAYS = 30;
/** The clocks of readers may be behind. */
const BACKDATED_MS = DAY_MS;
/** Purposes that the certificate profile of C2PA accepts: e-mail protection and claim signing. */
const PURPOSES = ["1.3.6.1.5.5.7.3.4", "1.3.6.1.4.1.62558.2.1"];

const FILES = /^content-credentials[-\d]*\.pem$/;

/** The first file of the data folder with a signer's certificate and key, and the certificate of its authority. */
export function developmentFile(dataDir: string): string {
  return join(dataDir, "content-credentials.pem");
}

/** The time at which an existing certificate must be valid, so that no new one is made. */
export function renewalTime(now: Date): Date {
  return new Date(now.getTime() + RENEW_BEFORE_DAYS * DAY_MS);
}

/** Returns all certificates and keys in PEM, including those that signed before; empty if none were made yet. */
export async function readDevelopmentPem(dataDir: string): Promise<string> {
  const names = await namesIn(dataDir);
  const files = names.map((name) => readFile(join(dataDir, name), "utf8"));
  return (await Promise.all(files)).join("");
}

/**
 * Returns the same, with a certificate that can sign now. The first process that asks makes it, in a file that only its owner can read. A
 * later certificate has the day in its file name, so that earlier ones stay known.
 */
export async function loadDevelopmentPem(dataDir: string, now: Date): Promise<string> {
  const known = await readDevelopmentPem(dataDir);
  if (known !== "" && signerAt(readSigners(known, known), renewalTime(now))) return known;
  const day = now.toISOString().slice(0, 10);
  const path = known === "" ? developmentFile(dataDir) : join(dataDir, `content-credentials-${day}.pem`);
  const made = await makeAuthority(now);
  return known + readOrCreate(path, () => made);
}

async function namesIn(dataDir: string): Promise<readonly string[]> {
  try {
    return (await readdir(dataDir)).filter((name) => FILES.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The authority's own key is discarded: it issues this one certificate and nothing after it. */
export async function makeAuthority(now: Date): Promise<string> {
  // The library is loaded only if a certificate is made. The X.509 library needs the first import before it.
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const [authority, signer] = await Promise.all([newKeys(), newKeys()]);
  const notBefore = new Date(now.getTime() - BACKDATED_MS);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=Atelier development authority, O=Atelier",
    keys: authority,
    signingAlgorithm: ALGORITHM,
    notBefore,
    notAfter: new Date(now.getTime() + AUTHORITY_DAYS * DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const own = await x509.X509CertificateGenerator.create({
    subject: "CN=Atelier development signer, O=Atelier",
    issuer: root.subject,
    publicKey: signer.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: ALGORITHM,
    notBefore,
    notAfter: new Date(now.getTime() + SIGNER_DAYS * DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(PURPOSES),
      await x509.SubjectKeyIdentifierExtension.create(signer.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey("pkcs8", signer.privateKey),
    "PRIVATE KEY",
  );
  return `${own.toString("pem")}\n${root.toString("pem")}\n${key}\n`;
}

function newKeys() {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}
