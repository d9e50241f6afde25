// The certificates that sign Content Credentials, from the configuration or from the data folder.
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import type { Signer } from "./cose.ts";

/** A signer, and the time in which its certificate may sign. */
export type DatedSigner = Signer & {
  readonly certificate: X509Certificate;
  readonly validFrom: Date;
  readonly validTo: Date;
};

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/** Pairs each key with its certificate and the chain of its issuers. The errors are for operators and quote no key. */
export function readSigners(certificatesPem: string, keysPem: string): readonly DatedSigner[] {
  const certificates = certificatesIn(certificatesPem);
  const keys = blocksIn(keysPem, "PRIVATE KEY").map(readKey);
  if (certificates.length === 0) throw new Error("there is no certificate in it");
  if (keys.length === 0) throw new Error("there is no private key (PKCS#8 PEM) in it");
  return keys.map((key) => {
    const own = certificates.find((one) => one.publicKey.equals(createPublicKey(key)));
    if (!own) throw new Error("a private key belongs to none of the certificates");
    return {
      key,
      certificate: own,
      chain: chainOf(own, certificates).map(({ raw }) => new Uint8Array(raw)),
      validFrom: own.validFromDate,
      validTo: own.validToDate,
    };
  });
}

/** Chooses the valid certificate whose validity began last, so that a new one takes over automatically. */
export function signerAt(signers: readonly DatedSigner[], now: Date): DatedSigner | undefined {
  return signers
    .filter(({ validFrom, validTo }) => validFrom <= now && now < validTo)
    .sort((a, b) => b.validFrom.getTime() - a.validFrom.getTime())[0];
}

export function certificatesIn(pem: string): readonly X509Certificate[] {
  return blocksIn(pem, "CERTIFICATE").map((block) => new X509Certificate(block));
}

/** The authorities at the end of every chain. Certificates that issued nothing themselves are left out. */
export function authoritiesIn(pem: string): readonly X509Certificate[] {
  return certificatesIn(pem).filter(({ ca }) => ca);
}

/** The serial numbers of the certificates that sign files, in decimal as reports have them. */
export function serialNumbersIn(pem: string): ReadonlySet<string> {
  const signing = certificatesIn(pem).filter(({ ca }) => !ca);
  return new Set(signing.map(({ serialNumber }) => BigInt(`0x${serialNumber}`).toString()));
}

/** Whether the authority at the end of the chain came with it and is on no trust list: then no one else knows it. */
export function bringsOwnRoot(pem: string, lists: string): boolean {
  const listed = certificatesIn(lists);
  const roots = authoritiesIn(pem).filter(({ subject, issuer }) => subject === issuer);
  return roots.some((root) => !listed.some((one) => one.raw.equals(root.raw)));
}

export function toPem(certificates: readonly X509Certificate[]): string {
  return certificates.map((one) => one.toString()).join("");
}

function chainOf(own: X509Certificate, all: readonly X509Certificate[]): readonly X509Certificate[] {
  const chain = [own];
  for (let last = own; ;) {
    // A reader that trusts a root authority already has it, so it need not be in every file.
    const issuer = all.find(
      (one) =>
        one.subject !== one.issuer &&
        !chain.includes(one) &&
        last.checkIssued(one) &&
        last.verify(one.publicKey),
    );
    if (!issuer) return chain;
    chain.push(issuer);
    last = issuer;
  }
}

function blocksIn(pem: string, kind: string): readonly string[] {
  return [...pem.matchAll(BLOCK)].filter(([, label]) => label === kind).map(([block]) => block);
}

function readKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1")
    throw new Error("a private key is not of ECDSA P-256");
  return key;
}
