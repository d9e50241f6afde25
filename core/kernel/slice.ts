// The parts of a slice that processes need. Each slice has one `slice.ts`; core/entry/slices.ts lists them, and all other code reads that
// list.
import type { CollectionSpec } from "../base/mongo/indexes.ts";
import type { App } from "./app.ts";
import type { Owned } from "./owned.ts";
import type { Services } from "./rpc.ts";

/** A step that a worker repeats. It is safe to repeat, and safe in several processes at the same time. */
export type Loop<A> = {
  /** Follows "could not" in the log. */
  readonly what: string;
  readonly everyMs: number;
  /** Whether it runs. If left out, it always does. */
  readonly when?: (app: A) => boolean;
} & (
  | { readonly step: (app: A, signal: AbortSignal) => Promise<unknown> }
  /** Returns whether there may be more to do: then the next step follows immediately. */
  | { readonly drain: (app: A, signal: AbortSignal) => Promise<boolean> }
);

/** A part of a worker that starts and stops in its own way. */
export type Runner<A, W> = {
  readonly what: string;
  readonly start: (app: A, parts: W) => { stop(): Promise<void> };
};

/** Methods by RPC service. Several slices may serve one service, each some of its methods. */
export type Served = { readonly [Name in keyof Services]?: Partial<Services[Name]> };

/**
 * `A` is the App that it needs; `P` and `W` are the parts of a core and of a worker that are made once for several slices. A slice has only
 * the members that it needs.
 */
export type Slice<A extends App = App, P = unknown, W = unknown> = {
  /** Its folder below core/. */
  readonly name: string;
  readonly collections?: readonly CollectionSpec[];
  /** Writes what every installation starts with, after the migrations. Safe to repeat. */
  readonly seed?: (app: Pick<App, "mongo" | "log">) => Promise<void>;
  readonly serve?: (app: A, parts: P) => Served;
  /** Registers the metrics of a core. */
  readonly observe?: (app: A, parts: P) => void;
  readonly owned?: Owned<App>;
  readonly loops?: readonly Loop<A>[];
  /** The services of a worker. They are started in the order of the slices and stopped in the reverse order. */
  readonly runners?: readonly Runner<A, W>[];
};
