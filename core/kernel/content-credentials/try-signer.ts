// Tests a certificate on a picture of one pixel, before files of jobs depend on it.
import type { Clock } from "../../../runtime/clock.ts";
import { CONFIG_KEYS } from "../../../runtime/config/config-keys.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { ConfigError } from "../../../runtime/config/config.ts";
import type { Logger } from "../../../runtime/log/log.ts";
import type { Signer } from "./cose.ts";
import type { ContentCredentials } from "./credentials.ts";
import { manifestOf } from "./manifest.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);

/** Says why readers would refuse what this signer signs; undefined if they accept it. */
export async function problemOf(
  { engine }: Pick<ContentCredentials, "engine">,
  signer: Signer,
  anchors: string,
): Promise<string | undefined> {
  const file = { bytes: PIXEL, mimeType: "image/png" };
  const generation = { job_id: "none", ledger_entry_id: "none", model_slug: "none", output_index: 0 };
  const definition = manifestOf(generation, {
    sourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia",
    ingredients: [],
    at: new Date(),
    release: "0",
  });
  try {
    const signed = await engine.sign({ ...file, definition, ingredients: [], signer });
    const report = await engine.read({ ...file, bytes: signed, anchors });
    if (report?.state === "trusted" || report?.state === "valid") return undefined;
    const reasons = report?.store?.validation_status?.map(
      ({ code, explanation = "" }) => `${code} ${explanation}`,
    );
    return reasons?.join("; ") ?? "the manifest cannot be read";
  } catch (error) {
    return (error as Error).message;
  }
}

type SigningApp = {
  readonly credentials: ContentCredentials;
  readonly config: Pick<Config, "profile">;
  readonly clock: Clock;
  readonly log: Logger;
};

/**
 * The check before a worker runs jobs. In production a certificate must exist and be able to sign: throws ConfigError. Development creates
 * its own when the first file is signed.
 */
export async function prepareToSign({ credentials, config, clock, log }: SigningApp): Promise<void> {
  if (config.profile !== "production") return;
  if (credentials.mode === "off") {
    log.warn(
      `${CONFIG_KEYS.contentCredentials.env}=off: files are stored without Content Credentials, so nothing signed says that they were generated`,
    );
    return;
  }
  const signer = await credentials.signer(clock.now());
  const problem = await problemOf(credentials, signer, await credentials.anchors());
  if (problem !== undefined)
    throw new ConfigError(
      `${CONFIG_KEYS.contentCredentialsCert.env}: readers refuse what it signs (${problem}).`,
    );
}
