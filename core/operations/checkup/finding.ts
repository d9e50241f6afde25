// What a checkup finds, and how its checks run: side by side, each with a time limit, and independent of each other.

/** `unknown`: it cannot be told from here. */
export type CheckVerdict = "pass" | "unknown" | "warn" | "fail";

export type Finding = {
  /** The subject of the check, in a word or two. */
  readonly about: string;
  /** `warn`: it works, and should be fixed; `fail`: it does not work, or is not safe. */
  readonly verdict: CheckVerdict;
  /** The result. */
  readonly what: string;
  /** What to do about it, in one line; absent if nothing is to be done. */
  readonly fix?: string;
};

export type Check = {
  readonly about: string;
  /** Throws if what it checks does not work; the message is shown. */
  readonly run: (signal: AbortSignal) => Promise<readonly Finding[]>;
  /** What to do if it throws or takes too long. */
  readonly fix: string;
};

export type CheckOptions = { readonly boundMs: number; readonly secrets: readonly string[] };

/** All findings, in the order of the checks. Never rejects, and shows no secret. */
export async function runChecks(
  checks: readonly Check[],
  { boundMs, secrets }: CheckOptions,
): Promise<readonly Finding[]> {
  const found = await Promise.all(checks.map((check) => runOne(check, boundMs)));
  return found.flat().map((one) => ({ ...one, what: withoutSecrets(one.what, secrets) }));
}

async function runOne({ about, run, fix }: Check, boundMs: number): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(boundMs);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () =>
      reject(new Error(`there was no answer within ${Math.round(boundMs / 1000)} s`)),
    );
  });
  try {
    return await Promise.race([run(signal), late]);
  } catch (error) {
    return [{ about, verdict: "fail", what: inWords(error), fix }];
  }
}

/** The message, with those of the errors that it wraps. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  const message = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return inner instanceof Error ? `${message}: ${inWords(inner)}` : message;
}

/** Servers quote what they were sent. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, "…"), text);
}

export function pass(about: string, what: string): Finding {
  return { about, verdict: "pass", what };
}

export function unknown(about: string, what: string): Finding {
  return { about, verdict: "unknown", what };
}

export function warn(about: string, what: string, fix: string): Finding {
  return { about, verdict: "warn", what, fix };
}

export function fail(about: string, what: string, fix: string): Finding {
  return { about, verdict: "fail", what, fix };
}

/** The exit code. 0: nothing to fix, 1: something should be fixed, 2: something must be fixed. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ verdict }) => verdict === "fail")) return 2;
  return findings.some(({ verdict }) => verdict === "warn") ? 1 : 0;
}
