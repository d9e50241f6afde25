// A circuit breaker for each model of a provider, based on the calls of this worker. It is not stored: each worker has its own.
import {
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  type IBreaker,
} from "cockatiel";
import type { App } from "../../kernel/app.ts";

/** A model of a provider, by the provider's own name for it. */
export type Target = { readonly provider: string; readonly model: string };

/** How a call ended, as far as the provider is responsible. `neutral` says nothing about whether the provider works. */
export type CallEnd = "made" | "failed" | "neutral";

/** Calls of the last minute count, in steps of five seconds. */
const WINDOW_MS = 60_000;
const STEP_MS = 5_000;
/** This many failures within the window open it, if they are at least half of the calls. */
export const MIN_FAILURES = 5;
const FAILED_SHARE = 0.5;
/** The first pause; each further one, without a success in between, is twice as long. */
export const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;
/** Calls that test whether it works again. All of them must succeed to close it. */
const PROBES = 2;
/** A probe that has not ended after this time goes to another job: its job may be with another worker, or the model may be slow. */
export const PROBE_LOST_MS = 60_000;

const STATES = {
  [CircuitState.Closed]: "closed",
  [CircuitState.Open]: "open",
  [CircuitState.HalfOpen]: "half_open",
  [CircuitState.Isolated]: "open",
} as const;

type Probe = {
  /** The job whose call it is; undefined while no job has it. */
  job: string | undefined;
  sinceMs: number;
  isPassed: boolean;
  readonly outcome: PromiseWithResolvers<void>;
  readonly counted: Promise<void>;
};

type Circuit = {
  readonly target: Target;
  readonly policy: CircuitBreakerPolicy;
  /** While it is half open. */
  probes: Probe[];
  /** While it is open: the time from which calls may test it. */
  untilMs: number;
};

export type Entered =
  | { readonly may: true }
  /** `untilMs` is when it is worth asking again, if that is known. */
  | { readonly may: false; readonly untilMs: number | undefined };

export type CircuitBreakers = {
  /** Whether this job may call now. If so, it must call. */
  enter(target: Target, job: string): Entered;
  /** How many calls it admits at the moment; Infinity while it is closed. */
  free(target: Target): number;
  /** Models of a provider that no job may call now. */
  closedModels(provider: string): readonly string[];
  /** Records the outcome of this job's call. */
  ended(target: Target, job: string, end: CallEnd): Promise<void>;
};

const FAILED = new Error("the call failed");

export function createCircuitBreakers({
  clock,
  log,
  metrics,
}: Pick<App, "clock" | "log" | "metrics">): CircuitBreakers {
  const circuits = new Map<string, Circuit>();
  const nowMs = () => clock.now().getTime();
  const changes = metrics.counter(
    "provider_breaker_changes_total",
    "Changes of this worker's circuit breakers, by the state that followed.",
    ["provider", "model", "state"],
  );
  metrics.gauges(
    "provider_breakers",
    "1 for each model of a provider that this worker does not call, or only tries, because it fails.",
    ["provider", "model", "state"],
    async () =>
      [...circuits.values()].flatMap(({ target, policy: { state } }) =>
        state === CircuitState.Closed ? [] : [{ labels: { ...target, state: STATES[state] }, value: 1 }],
      ),
  );

  function report({ target, untilMs }: Circuit, state: CircuitState): void {
    changes.inc({ ...target, state: STATES[state] });
    if (state === CircuitState.Open) {
      const until = new Date(untilMs).toISOString();
      log.warn({ ...target, until }, "a provider's model fails and is not called for a while");
    }
    if (state === CircuitState.HalfOpen)
      log.info(target, "it is tried whether a provider's model works again");
    if (state === CircuitState.Closed) log.info(target, "a provider's model works again");
  }

  function circuitOf(target: Target): Circuit {
    const id = `${target.provider} ${target.model}`;
    const circuit = circuits.get(id) ?? createCircuit(target, nowMs, report);
    circuits.set(id, circuit);
    return circuit;
  }

  return {
    enter: (target, job) => enterCircuit(circuitOf(target), job, nowMs()),
    free: (target) => freeOf(circuitOf(target), nowMs()),
    closedModels: (provider) =>
      [...circuits.values()].flatMap((circuit) =>
        circuit.target.provider === provider && freeOf(circuit, nowMs()) === 0 ? [circuit.target.model] : [],
      ),
    ended: (target, job, end) => endCall(circuitOf(target), job, end),
  };
}

function createCircuit(
  target: Target,
  nowMs: () => number,
  onChange: (circuit: Circuit, state: CircuitState) => void,
): Circuit {
  const policy = circuitBreaker(
    handleWhen((error) => error === FAILED),
    {
      breaker: createWindow(nowMs),
      halfOpenAfter: new DelegateBackoff(({ attempt }) => {
        const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
        circuit.untilMs = nowMs() + pauseMs;
        return pauseMs;
      }),
      halfOpenSampling: { calls: PROBES, threshold: 0 },
    },
  );
  const circuit: Circuit = { target, policy, probes: [], untilMs: 0 };
  policy.onStateChange((state) => {
    circuit.probes = [];
    onChange(circuit, state);
  });
  return circuit;
}

/** How the calls of the last minute ended, counted in steps. */
function createWindow(nowMs: () => number): IBreaker {
  let steps: { readonly atMs: number; calls: number; failures: number }[] = [];
  const count = (failures: 0 | 1) => {
    const now = nowMs();
    let step = steps.at(-1);
    if (!step || now - step.atMs >= STEP_MS) {
      step = { atMs: now, calls: 0, failures: 0 };
      steps = [...steps.filter(({ atMs }) => now - atMs < WINDOW_MS), step];
    }
    step.calls += 1;
    step.failures += failures;
  };
  return {
    state: undefined,
    success: (state) => {
      if (state === CircuitState.Closed) count(0);
      else steps = [];
    },
    failure: () => {
      count(1);
      const calls = steps.reduce((sum, step) => sum + step.calls, 0);
      const failures = steps.reduce((sum, step) => sum + step.failures, 0);
      return failures >= MIN_FAILURES && failures >= FAILED_SHARE * calls;
    },
  };
}

function isFree({ job, sinceMs, isPassed }: Probe, now: number): boolean {
  return !isPassed && (job === undefined || now - sinceMs >= PROBE_LOST_MS);
}

function freeOf({ policy, probes, untilMs }: Circuit, now: number): number {
  if (policy.state === CircuitState.Closed) return Number.POSITIVE_INFINITY;
  if (policy.state === CircuitState.Open) return now < untilMs ? 0 : PROBES;
  return PROBES - probes.length + probes.filter((probe) => isFree(probe, now)).length;
}

function enterCircuit(circuit: Circuit, job: string, now: number): Entered {
  const { policy } = circuit;
  if (policy.state === CircuitState.Closed) return { may: true };
  if (policy.state === CircuitState.Open && now < circuit.untilMs)
    return { may: false, untilMs: circuit.untilMs };
  const probe =
    circuit.probes.find((one) => one.job === job) ?? circuit.probes.find((one) => isFree(one, now));
  if (probe) {
    probe.job = job;
    probe.sinceMs = now;
    return { may: true };
  }
  if (circuit.probes.length >= PROBES) return { may: false, untilMs: undefined };
  const outcome = Promise.withResolvers<void>();
  // Makes an open circuit half open, which empties the list of its probes.
  const counted = policy.execute(() => outcome.promise).catch(() => {});
  if (policy.state !== CircuitState.HalfOpen) return { may: false, untilMs: undefined };
  circuit.probes.push({ job, sinceMs: now, isPassed: false, outcome, counted });
  return { may: true };
}

async function endCall({ policy, probes }: Circuit, job: string, end: CallEnd): Promise<void> {
  const probe = probes.find((one) => one.job === job);
  if (probe) {
    probe.job = undefined;
    if (end === "neutral") return;
    probe.isPassed = end === "made";
    if (end === "made") probe.outcome.resolve();
    else probe.outcome.reject(FAILED);
    await probe.counted;
  } else if (end !== "neutral" && policy.state === CircuitState.Closed)
    // A call that began before the circuit opened decides nothing.
    await policy
      .execute(() => {
        if (end === "failed") throw FAILED;
      })
      .catch(() => {});
}
