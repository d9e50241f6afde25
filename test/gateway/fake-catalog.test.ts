import { expect, test } from "vitest";
import type { CoreClient } from "../../proto/client.ts";
import { createFakeCore } from "../support/fake-core.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService } from "../support/whole-service.ts";
import { fakeCatalog } from "./fake-catalog.ts";

const service = sharedByTests(() => startWholeService({ worker: false }));

/** The first two states for a watcher, each field by its type, and whether time and revision are readable. */
async function statesOf(core: CoreClient): Promise<unknown[]> {
  const leaving = new AbortController();
  const states: unknown[] = [];
  for await (const state of core.catalog.WatchCatalog({}, { signal: leaving.signal })) {
    const types = Object.entries(state).map(([name, value]) => [name, typeof value]);
    const isTime = state.now === new Date(state.now).toISOString();
    states.push({
      ...Object.fromEntries(types),
      isTime,
      hasRevision: state.revision.endsWith(`.${state.version}`),
    });
    if (states.length === 2) break;
  }
  leaving.abort();
  return states;
}

test("the fake catalog sends its state like the real one, with unrequested repeats", async () => {
  const fake = createFakeCore();
  fakeCatalog(fake);
  expect(await statesOf(fake.client)).toEqual(await statesOf(service.core));
});
