// States in each output of a job that it was generated: with IPTC metadata and signed Content Credentials. This is the one place for all
// providers, before anything is stored. A failure to sign never loses an output.
import { setTimeout as sleep } from "node:timers/promises";
import type { ContentCredentialsState } from "../../../proto/resources/job.ts";
import { RELEASE } from "../../../runtime/release.ts";
import type { ProviderInput, ProviderOutput } from "../../adapters/providers/provider.ts";
import type { App } from "../app.ts";
import { SIGNABLE_TYPES } from "../content-credentials/formats.ts";
import { manifestOf, sourceTypeOf } from "../content-credentials/manifest.ts";
import type { Ingredient } from "../content-credentials/thread.ts";
import { carriesStore } from "../content-credentials/verdict-rules.ts";
import { withXmp } from "../content-credentials/xmp.ts";

/** An output as it is stored. */
export type MarkedOutput = ProviderOutput & { readonly contentCredentials: ContentCredentialsState };

/** What the files of a job disclose. */
export type MadeBy = {
  readonly jobId: string;
  readonly modelSlug: string;
  /** The ledger entry that paid for the job. */
  readonly entryId: string;
  readonly entryHash: () => Promise<string | null>;
  /** The inputs by the names of their params. */
  readonly inputs: ReadonlyMap<string, ProviderInput>;
};

type SigningApp = Pick<App, "credentials" | "clock" | "log" | "metrics">;

const MAX_TRIES = 3;
const RETRY_MS = 200;

/** Throws only the reason of `signal`. */
export async function signOutputs(
  app: SigningApp,
  made: MadeBy,
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<readonly MarkedOutput[]> {
  const inputTypes = [...made.inputs.values()].map(({ mimeType }) => mimeType);
  const context = once(async () => ({
    entryHash: await made.entryHash(),
    inputs: await readIngredients(made.inputs),
  }));
  return Promise.all(
    outputs.map(async (output, index) => {
      const sourceType = sourceTypeOf({ ...output, drawnByRules: output.drawnByRules ?? false, inputTypes });
      const { bytes, mimeType } = output;
      const origin = { sourceType, model: made.modelSlug, jobId: made.jobId };
      // One more byte would break the signature of a provider that signs its own files.
      const isSigned = carriesStore(bytes);
      const marked = isSigned ? bytes : withXmp(bytes, mimeType, origin, output);
      const sign = async () => {
        const { entryHash, inputs } = await context();
        const ingredients = isSigned ? [...inputs, asMade(output, inputs.length === 0)] : inputs;
        const generation = {
          job_id: made.jobId,
          ledger_entry_id: made.entryId,
          ...(entryHash !== null && { ledger_entry_hash: entryHash }),
          model_slug: made.modelSlug,
          output_index: index,
        };
        const at = app.clock.now();
        const titles = ingredients.map(({ title }) => title);
        return app.credentials.engine.sign({
          bytes: marked,
          mimeType,
          definition: manifestOf(generation, { sourceType, ingredients: titles, at, release: RELEASE }),
          ingredients,
          signer: await app.credentials.signer(at),
        });
      };
      const signed = await signOne(app, { mimeType, jobId: made.jobId }, sign, signal);
      count(app, signed.state);
      return { ...output, bytes: signed.bytes ?? marked, contentCredentials: signed.state };
    }),
  );
}

type Signed = { readonly state: ContentCredentialsState; readonly bytes?: Uint8Array };

async function signOne(
  app: SigningApp,
  { mimeType, jobId }: { mimeType: string; jobId: string },
  sign: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<Signed> {
  if (app.credentials.mode === "off") return { state: "off" };
  if (!SIGNABLE_TYPES.has(mimeType)) return { state: "unsupported" };
  const took = app.metrics.duration(
    "content_credentials_sign",
    "Signing one output with Content Credentials, with the wait for a thread and every try.",
    [],
  );
  const end = took.startTimer();
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    try {
      const bytes = await sign();
      end();
      return { state: "signed", bytes };
    } catch (error) {
      if (tries === MAX_TRIES) {
        app.log.error(
          { err: error, job: jobId, mimeType },
          "an output could not be signed and is stored without a signature",
        );
        return { state: "failed" };
      }
      app.log.warn(
        { err: error, job: jobId, mimeType, tries },
        "an output could not be signed; trying again",
      );
      await sleep(RETRY_MS * tries, undefined, { signal });
    }
  }
}

function count({ metrics }: SigningApp, result: ContentCredentialsState): void {
  metrics
    .counter("content_credentials_total", "Outputs by what came of signing them with Content Credentials.", [
      "result",
    ])
    .inc({ result });
}

/** The library allows one parent: the first input is the parent, and the others are inputs of the action. */
async function readIngredients(inputs: ReadonlyMap<string, ProviderInput>): Promise<readonly Ingredient[]> {
  return Promise.all(
    [...inputs].map(async ([param, input], index) => ({
      title: param,
      relationship: index === 0 ? ("parentOf" as const) : ("inputTo" as const),
      mimeType: input.mimeType,
      bytes: await input.read(),
    })),
  );
}

/** The file as the provider delivered it, so that the provider's own manifest is kept. */
function asMade({ bytes, mimeType }: ProviderOutput, isParent: boolean): Ingredient {
  return {
    title: "as the provider made it",
    relationship: isParent ? "parentOf" : "inputTo",
    mimeType,
    bytes,
  };
}

/** Returns the same promise to all callers, and a new one after a failure. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
