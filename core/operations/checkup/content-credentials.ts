// Checks Content Credentials: which certificate signs files, until when it is valid, and who trusts it.
import type { X509Certificate } from "node:crypto";
import { CONFIG_KEYS } from "../../../runtime/config/config-keys.ts";
import type { Config } from "../../../runtime/config/config.ts";
import type { Logger } from "../../../runtime/log/log.ts";
import { certificatesIn, type DatedSigner, signerAt } from "../../kernel/content-credentials/certificates.ts";
import {
  createContentCredentials,
  isMadeHere,
  loadSigners,
} from "../../kernel/content-credentials/credentials.ts";
import { problemOf } from "../../kernel/content-credentials/try-signer.ts";
import { checkTime } from "./certificates.ts";
import { warn, type Finding, inWords, unknown, pass, fail } from "./finding.ts";

const ABOUT = "content credentials";
const { contentCredentials, contentCredentialsCert, contentCredentialsKey, contentCredentialsTrust } =
  CONFIG_KEYS;
const PAGE = "docs/operations/content-credentials.md";
/** Without the old certificate, core would report older files as signed by another issuer. */
const RENEW = `add a new one, and keep the old certificate next to it (${PAGE})`;

/** Signs a picture of one pixel with each certificate, and reads it. */
export async function checkContentCredentials(config: Config, log: Logger, now: Date): Promise<Finding[]> {
  if (config.contentCredentials === "off")
    return [
      warn(
        ABOUT,
        `${contentCredentials.env} is off: files are stored without a signature`,
        `give workers a certificate and leave it out (${PAGE})`,
      ),
    ];
  // Core and other processes that sign nothing have no key.
  if (config.contentCredentialsKey === undefined && !isMadeHere(config))
    return [
      unknown(
        ABOUT,
        `${contentCredentialsKey.env} is not set here: run this with the settings of a worker too`,
      ),
    ];
  let signers: readonly DatedSigner[];
  try {
    signers = await loadSigners(config, now);
  } catch (error) {
    return [fail(ABOUT, inWords(error), `give certificates and keys that belong together (${PAGE})`)];
  }
  return [
    ...checkTimes(signers, now),
    ...(await trySigners(config, log, signers)),
    ...checkTrust(config, signers),
  ];
}

function checkTimes(signers: readonly DatedSigner[], now: Date): Finding[] {
  const current = signerAt(signers, now);
  if (!current) return [fail(ABOUT, "no certificate is valid now: nothing is signed", RENEW)];
  const next = signers.find(
    ({ validFrom, validTo }) => validTo > current.validTo && validFrom <= current.validTo,
  );
  if (next)
    return [pass(ABOUT, `the next certificate takes over by ${current.validTo.toISOString().slice(0, 10)}`)];
  const times = { validFromDate: current.validFrom, validToDate: current.validTo };
  return [checkTime(ABOUT, times, now, RENEW)];
}

async function trySigners(config: Config, log: Logger, signers: readonly DatedSigner[]): Promise<Finding[]> {
  const credentials = createContentCredentials(config, { log });
  try {
    const anchors = await credentials.anchors();
    const now = Date.now();
    const found: Finding[] = [];
    for (const signer of signers) {
      // A file that is signed today with a certificate of another time is never valid.
      if (signer.validFrom.getTime() > now || signer.validTo.getTime() <= now) continue;
      const problem = await problemOf(credentials, signer, anchors);
      if (problem !== undefined)
        found.push(
          fail(
            ABOUT,
            `readers refuse what a certificate signs: ${problem}`,
            `have one made for C2PA (${PAGE})`,
          ),
        );
    }
    return found;
  } finally {
    await credentials.close();
  }
}

function checkTrust(config: Config, signers: readonly DatedSigner[]): Finding[] {
  const lists = certificatesIn(config.contentCredentialsTrust ?? "");
  const authorities = [...lists, ...certificatesIn(config.contentCredentialsCert ?? "")];
  const selfMade = isMadeHere(config) || signers.some((signer) => endsInOwnRoot(signer, authorities, lists));
  if (selfMade)
    return [
      warn(
        ABOUT,
        "the certificate is self-made and on no trust list: readers elsewhere call its files valid, and their signer unknown",
        `get one from an authority of the C2PA trust list (${PAGE})`,
      ),
    ];
  if (lists.length === 0)
    return [
      unknown(ABOUT, `whether the certificate is on a trust list: ${contentCredentialsTrust.env} names none`),
    ];
  return signers.every((signer) => isIssuedByOneOf(signer, lists, authorities))
    ? [pass(ABOUT, `${contentCredentialsCert.env} is on the trust list`)]
    : [warn(ABOUT, "the certificate is on no trust list", `get one from an authority of the list (${PAGE})`)];
}

/** Whether the chain ends at a root that came with it and is on no list. */
function endsInOwnRoot(
  signer: DatedSigner,
  all: readonly X509Certificate[],
  lists: readonly X509Certificate[],
): boolean {
  const root = pathOf(signer, all).at(-1);
  return root !== undefined && root.subject === root.issuer && !lists.some((one) => one.raw.equals(root.raw));
}

function isIssuedByOneOf(
  signer: DatedSigner,
  lists: readonly X509Certificate[],
  all: readonly X509Certificate[],
): boolean {
  return pathOf(signer, all).some((step) => lists.some((one) => one.raw.equals(step.raw)));
}

/** From the signer's certificate to the last authority that is known here. */
function pathOf({ certificate }: DatedSigner, all: readonly X509Certificate[]): readonly X509Certificate[] {
  const path = [certificate];
  for (let last = certificate; ;) {
    const next = all.find(
      (one) => !path.includes(one) && last.checkIssued(one) && last.verify(one.publicKey),
    );
    if (!next || next.raw.equals(last.raw)) return path;
    path.push(next);
    last = next;
  }
}
