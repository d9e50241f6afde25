// Keeps receivers from slowing each other down: limits how many attempts each may have in flight in this process, depending on how fast it
// was last time. It does no I/O.

export type EndpointLimits = {
  /** The most attempts in flight altogether. */
  total: number;
  /** The most attempts in flight to one receiver. */
  perEndpoint: number;
};

export type Endpoints = {
  /** How many more attempts may start, to any receiver. */
  free(): number;
  /** How many more attempts may start to this one. */
  freeFor(host: string): number;
  /** Which receivers to look for. If there is capacity only for proven ones, it names those; otherwise it names those to leave out. */
  wanted(): { only: string[] } | { without: string[] };
  started(host: string): void;
  /** The receiver that was served last, "" before the first: receivers take turns, and the next one comes after it. */
  last(): string;
  /** `durationMs` is how long the attempt took; undefined if none was made, so that nothing was learned. */
  ended(host: string, durationMs?: number): void;
};

type Pace = "quick" | "slow" | "unknown";

/** An attempt that takes longer than this, with or without an answer, makes its receiver a slow one. */
const SLOW_MS = 2000;
/** The number of remembered receivers; beyond that, the one heard of least recently is unknown again. */
const MAX_REMEMBERED = 4000;
/** An unknown receiver may be dead, so it gets only one attempt at first. */
const UNKNOWN_PER_ENDPOINT = 1;

/**
 * A dead receiver occupies each attempt until the time limit. So slow receivers share half of the capacity, and slow and unknown ones
 * together three quarters: however many there are, a receiver that answers quickly finds capacity immediately.
 */
export function createEndpoints({ total, perEndpoint }: EndpointLimits): Endpoints {
  const inFlight = new Map<string, number>();
  const paces = new Map<string, Exclude<Pace, "unknown">>();
  let last = "";
  const maxSlow = Math.ceil(total / 2);
  const maxUnproven = Math.ceil((total * 3) / 4);

  const paceOf = (host: string): Pace => paces.get(host) ?? "unknown";
  const flying = (host: string) => inFlight.get(host) ?? 0;

  function room(): Record<Pace, number> {
    const count = { quick: 0, slow: 0, unknown: 0 };
    for (const [host, attempts] of inFlight) count[paceOf(host)] += attempts;
    const all = total - count.quick - count.slow - count.unknown;
    const unproven = Math.min(all, maxUnproven - count.slow - count.unknown);
    return { quick: all, unknown: unproven, slow: Math.min(unproven, maxSlow - count.slow) };
  }

  function freeFor(host: string, left = room()): number {
    const pace = paceOf(host);
    const each = pace === "unknown" ? Math.min(UNKNOWN_PER_ENDPOINT, perEndpoint) : perEndpoint;
    return Math.max(0, Math.min(each - flying(host), left[pace]));
  }

  return {
    free: () => Math.max(0, room().quick),
    freeFor,
    wanted: () => {
      const left = room();
      const remembered = [...paces.keys()];
      if (left.unknown <= 0) return { only: remembered.filter((host) => freeFor(host, left) > 0) };
      return {
        without: [...new Set([...inFlight.keys(), ...remembered])].filter(
          (host) => freeFor(host, left) === 0,
        ),
      };
    },
    started: (host) => {
      inFlight.set(host, flying(host) + 1);
      last = host;
    },
    last: () => last,
    ended: (host, durationMs) => {
      if (flying(host) > 1) inFlight.set(host, flying(host) - 1);
      else inFlight.delete(host);
      if (durationMs === undefined) return;
      paces.delete(host);
      paces.set(host, durationMs > SLOW_MS ? "slow" : "quick");
      const [oldest] = paces.keys();
      if (paces.size > MAX_REMEMBERED && oldest !== undefined) paces.delete(oldest);
    },
  };
}
