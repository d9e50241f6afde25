// What is known about providers, at most a moment old, so that a job of a provider without limits and failures asks nobody.
import type { App } from "../../kernel/app.ts";
import { createRecent } from "../../base/mongo/recent.ts";
import { type BreakerDoc, findBreakers, findProviders, type ProviderDoc } from "./store.ts";

const MAX_AGE_MS = 1_000;

export type Known = {
  readonly providers: ReadonlyMap<string, ProviderDoc>;
  readonly breakers: ReadonlyMap<string, BreakerDoc>;
};

export type Knowledge = {
  now(): Promise<Known>;
  /** Forgets what is known, because this process has changed something. */
  forget(): void;
};

export function createKnowledge({ mongo }: Pick<App, "mongo">): Knowledge {
  const begin = () => createRecent(() => load(mongo.db), MAX_AGE_MS);
  let recent = begin();
  return {
    now: () => recent(),
    forget: () => {
      recent = begin();
    },
  };
}

async function load(db: App["mongo"]["db"]): Promise<Known> {
  const [providers, breakers] = await Promise.all([findProviders(db), findBreakers(db)]);
  return {
    providers: new Map(providers.map((provider) => [provider._id, provider])),
    breakers: new Map(breakers.map((breaker) => [breaker._id, breaker])),
  };
}
