// What every use case of core gets. There is no container and no global: an entry or a test builds an App.
import type { EventEmitter } from "node:events";
import type { Clock, NewId } from "../../runtime/clock.ts";
import type { Config } from "../../runtime/config/config.ts";
import type { Secrets } from "../../runtime/keys/secret.ts";
import type { SigningKeys } from "../../runtime/keys/signing-keys.ts";
import type { Logger } from "../../runtime/log/log.ts";
import type { Tracing } from "../../runtime/log/tracing.ts";
import type { Metrics } from "../../runtime/ops/metrics.ts";
import type { OwnPayments } from "../adapters/payments/registry.ts";
import type { Providers } from "../adapters/providers/provider.ts";
import type { Mongo } from "../base/mongo/client.ts";
import type { ObjectStore } from "../base/objects/object-store.ts";
import type { ContentCredentials } from "./content-credentials/credentials.ts";
import type { PlanDoc, QueuePause, TierDoc, ModelDoc } from "./definitions.ts";
import type { Owned } from "./owned.ts";

export type App = {
  readonly config: Config;
  readonly mongo: Mongo;
  /** The database that this process started itself; undefined if someone else runs it. */
  readonly ownDatabase: OwnDatabase | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Returns a whole number below 2^32, for a job whose request has no seed. */
  readonly drawSeed: () => number;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Undefined if traces are off. */
  readonly tracing?: Tracing | undefined;
  readonly providers: Providers;
  readonly payments: OwnPayments;
  /** Stores the bytes of outputs; undefined if the database stores them. */
  readonly objects: ObjectStore | undefined;
  /** Signs receipts. */
  readonly signingKeys: SigningKeys;
  /** Signs the files of jobs, and reads the signatures of any files. */
  readonly credentials: ContentCredentials;
  /** Plans and tiers by name, models by slug (including paused and retired ones), at most a second old. */
  readonly plans: () => Promise<ReadonlyMap<string, PlanDoc>>;
  readonly tiers: () => Promise<ReadonlyMap<string, TierDoc>>;
  readonly models: () => Promise<ReadonlyMap<string, ModelDoc>>;
  /** Whether an operator has paused the queue, at most half a second old; undefined while it is open. */
  readonly queuePause: () => Promise<QueuePause | undefined>;
  /** Each slice's data of accounts, from the lowest slice. */
  readonly owned: readonly Owned<App>[];
  /** Called for every key that was accepted, to record its last use. It must not throw and must not wait. */
  readonly noteKeyUse: (keySha256: string, at: Date) => void;
  /** Hints inside one process, so that no one waits for the next poll. They are never the only way to learn of something. */
  readonly signals: EventEmitter<Signals>;
  /** Signs addresses of files and of webhooks, and seals what is kept with tickets. */
  readonly secrets: Secrets;
  /** The public address of the website and of the addresses that payment providers call, without a trailing slash. */
  readonly baseUrl: string;
  /** The public address of the generation API, without a trailing slash. */
  readonly generationBaseUrl: string;
};

/** What only the process that runs a database knows about it. */
export type OwnDatabase = {
  /** True while its server has ended and is not back yet, so that no one can have changed anything. */
  isStopped(): boolean;
  /** True while its disk is nearly full: work that would fill it further waits. */
  isShortOfSpace(): boolean;
};

export type Signals = {
  /** Jobs were accepted or slots became free: a worker may find something to claim. */
  claimable: [];
  /** Suspended jobs are due. */
  callable: [];
  /** These jobs have new events, or these workflows have changed. */
  changed: [ids: readonly string[]];
  /** The owner of a running job wants it cancelled. */
  "cancel-requested": [jobId: string];
  /** Deliveries were queued. */
  deliverable: [];
  /** Steps of these workflows have ended. */
  stepEnded: [workflows: readonly { readonly accountId: string; readonly workflowId: string }[]];
};
