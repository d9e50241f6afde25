// Runs one transaction and repeats it while it may succeed, within our own time limit: the driver's `timeoutMS` has no effect here (7.8.0),
// and its own retries continue for two minutes.
import { setTimeout as sleep } from "node:timers/promises";
import { ReadConcern } from "mongodb";
import type { Clock } from "../../../runtime/clock.ts";
import type { ClientSession, Db, Mongo } from "./client.ts";
import {
  DatabaseTooSlow,
  isCertainlyNotCommitted,
  isDatabaseAway,
  isPassing,
  isWriteConflict,
  TooManyConflicts,
} from "./errors.ts";

/**
 * The time limit for all tries of one transaction; then the caller receives service_unavailable. It is less than the 10 s that callers of
 * core wait.
 */
const TX_TIMEOUT_MS = 8_000;
/** The maximum random pause between tries, which grows with their number. */
const PAUSE_MS = 5;
const PAUSE_GROWTH = 1.5;
const MAX_PAUSE_MS = 250;

/** One lost conflict is normal, since the next try mostly succeeds. More mean that transactions of this process block each other. */
const MANY_CONFLICTS = 2;

const OPTIONS = { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" } } as const;

/** The context for reads of one moment, in a snapshot or a transaction. */
export type SnapshotContext = { readonly session: ClientSession };

/** The context for reads that may also run outside a transaction. */
export type ReadContext = Partial<SnapshotContext>;

/** The context of everything inside a transaction. Each try has its own, and writes accept no other, so that none runs outside. */
export type TxContext = SnapshotContext & {
  /** The time of the transaction, which is the same for all tries. */
  readonly now: Date;
  /** What earlier tries threw as Reconsider, by subject. */
  readonly reconsidered?: ReadonlyMap<string, string> | undefined;
};

/**
 * Thrown inside a transaction that may have written something wrong: this try is discarded, and the next one finds `why` under `subject`
 * and decides differently.
 */
export class Reconsider extends Error {
  override readonly name = "Reconsider";
  readonly subject: string;
  readonly why: string;

  constructor(subject: string, why: string) {
    super(`${subject}: ${why}`);
    this.subject = subject;
    this.why = why;
  }
}

/** An app, or a database with the time at which the work began. */
export type TxSource = { readonly mongo: Mongo } & ({ readonly clock: Clock } | { readonly now: Date });

export type TxOptions<T> = {
  /** For all tries together. */
  readonly timeoutMs?: number;
  /** The number of lost write conflicts after which to throw TooManyConflicts; without it, only the time limit applies. */
  readonly maxConflicts?: number;
  /** Called when only the commit is left: the last moment to throw and discard everything. */
  readonly beforeCommit?: () => void;
  /** Receives the time of the commit, all its tries together. */
  readonly onCommitted?: ((tookMs: number) => void) | undefined;
  /** Receives the number of tries at the end. */
  readonly onTries?: (tries: number) => void;
  /** Called when a commit succeeded after the caller had been told that it took too long. */
  readonly onLateCommit?: (result: T) => void;
};

/**
 * Runs `work` in a transaction (snapshot reads, majority commit) and gives back what it returned. `work` may run more than
 * once: it only reads, decides and writes through what it is given; the time is taken before the first try, as new ids have to be.
 *
 * Rejects when its time is over, whatever the database is doing. From then on no commit is begun. TooManyConflicts says that others wrote
 * the same documents first, and that nothing was committed. DatabaseTooSlow says that the outcome is unknown, because a commit that was
 * sent already may go through: who repeats must be able to tell what was done.
 */
export async function inTx<T>(
  of: TxSource,
  work: (tx: TxContext) => Promise<T>,
  options: TxOptions<T> = {},
): Promise<T> {
  const { timeoutMs = TX_TIMEOUT_MS } = options;
  const tx = new Transaction(of, work, options, timeoutMs);
  const running = tx.run();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(tx.giveUp());
    running.then(
      (result) => options.onLateCommit?.(result),
      () => {},
    );
  }, timeoutMs);
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
    options.onTries?.(tx.tries);
  }
}

/**
 * Runs reads that all see the same moment: those through this `db` and the context. Through another `db` the client's own read concern
 * would take precedence, and each read would see its own moment.
 */
export async function inSnapshot<T>(
  mongo: Mongo,
  work: (db: Db, snapshot: SnapshotContext) => Promise<T>,
): Promise<T> {
  const db = mongo.client.db(mongo.db.databaseName, { readConcern: new ReadConcern("snapshot") });
  return mongo.client.withSession({ snapshot: true }, (session) => work(db, { session }));
}

class Transaction<T> {
  tries = 0;
  #lastError: unknown;
  #reconsidered: Map<string, string> | undefined;
  #conflicts = 0;
  /** By performance.now(); Infinity between tries. */
  #tryBeganMs = Number.POSITIVE_INFINITY;
  #isCommitting = false;
  #gaveUp = false;
  readonly #mongo: Mongo;
  readonly #work: (tx: TxContext) => Promise<T>;
  readonly #options: TxOptions<T>;
  readonly #timeoutMs: number;
  readonly #now: Date;
  readonly #endsAtMs: number;

  constructor(of: TxSource, work: (tx: TxContext) => Promise<T>, options: TxOptions<T>, timeoutMs: number) {
    this.#mongo = of.mongo;
    this.#work = work;
    this.#options = options;
    this.#timeoutMs = timeoutMs;
    this.#now = "now" in of ? of.now : of.clock.now();
    this.#endsAtMs = performance.now() + timeoutMs;
  }

  async run(): Promise<T> {
    const { contention } = this.#mongo;
    const once = () => this.#once();
    for (;;) {
      try {
        return await (isWriteConflict(this.#lastError) ? contention.again(once) : once());
      } catch (error) {
        this.#lastError = error;
        if (this.#noteReconsidered(error)) continue;
        this.#refuseRetry(error);
      }
      await this.#pause();
    }
  }

  async #once(): Promise<T> {
    this.#throwIfLate();
    this.tries += 1;
    this.#tryBeganMs = performance.now();
    // Each try has its own session, because the last one may still be running on a server that does not respond.
    const session = this.#mongo.client.startSession();
    try {
      return await this.#try(session);
    } finally {
      this.#tryBeganMs = Number.POSITIVE_INFINITY;
      void session.endSession().catch(() => {});
    }
  }

  /** Starts no further commit. Returns the error for the caller. */
  giveUp(): Error {
    this.#gaveUp = true;
    // A hanging try did not lose a conflict.
    const hangs = performance.now() - this.#tryBeganMs > this.#timeoutMs / 2;
    if (isWriteConflict(this.#lastError) && !this.#isCommitting && !hangs) return this.#lost();
    const message = `a transaction took longer than ${this.#timeoutMs} ms`;
    return new DatabaseTooSlow(message, { cause: this.#lastError });
  }

  #lost(): TooManyConflicts {
    const message = `lost ${this.#conflicts} write conflicts in ${this.tries} tries`;
    return new TooManyConflicts(message, { cause: this.#lastError });
  }

  async #try(session: ClientSession): Promise<T> {
    session.startTransaction(OPTIONS);
    let result: T;
    try {
      result = await this.#work({ session, now: this.#now, reconsidered: this.#reconsidered });
      this.#throwIfLate();
      this.#options.beforeCommit?.();
    } catch (error) {
      // An unavailable server has nothing to abort or aborts after its own time limit; waiting for it would be in vain.
      if (!isDatabaseAway(error)) await session.abortTransaction();
      throw error;
    }
    this.#isCommitting = true;
    const beganMs = performance.now();
    await this.#commit(session);
    this.#options.onCommitted?.(performance.now() - beganMs);
    return result;
  }

  /** A commit without a response is sent again: the server carries it out once and confirms it again. */
  async #commit(session: ClientSession): Promise<void> {
    for (;;) {
      try {
        return await session.commitTransaction();
      } catch (error) {
        this.#lastError = error;
        if (isCertainlyNotCommitted(error) || !isDatabaseAway(error)) {
          this.#isCommitting = false;
          throw error;
        }
        if (this.#isLate()) throw new UnknownOutcome("a commit was not answered", { cause: error });
      }
      await this.#pause();
    }
  }

  /** Once for each subject: a try that throws it again has not decided differently. */
  #noteReconsidered(error: unknown): boolean {
    if (!(error instanceof Reconsider) || this.#reconsidered?.has(error.subject)) return false;
    this.#reconsidered ??= new Map();
    this.#reconsidered.set(error.subject, error.why);
    return true;
  }

  /** Throws unless the transaction is worth another try. */
  #refuseRetry(error: unknown): void {
    if (error instanceof UnknownOutcome) throw error.cause;
    if (this.#gaveUp) throw error;
    if (!isPassing(error)) throw error;
    const isConflict = isWriteConflict(error);
    if (isConflict) this.#conflicts += 1;
    if (this.#conflicts >= MANY_CONFLICTS) this.#mongo.contention.noteConflicts();
    const { maxConflicts = Number.POSITIVE_INFINITY } = this.#options;
    if (isConflict && (this.#conflicts >= maxConflicts || this.#isLate())) throw this.#lost();
    if (this.#isLate()) throw this.giveUp();
  }

  async #pause(): Promise<void> {
    await sleep(Math.random() * Math.min(MAX_PAUSE_MS, PAUSE_MS * PAUSE_GROWTH ** this.tries));
  }

  #isLate(): boolean {
    return this.#gaveUp || performance.now() >= this.#endsAtMs;
  }

  #throwIfLate(): void {
    if (this.#isLate()) throw this.giveUp();
  }
}

/** A commit was sent and never confirmed: repeating the whole transaction could apply it twice. */
class UnknownOutcome extends Error {
  override readonly name = "UnknownOutcome";
}
