// What tests share: made before they run, and closed after them if it can be, the last first.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";

type Made = { app?: object; close?(): unknown; drop?(): unknown };

const end = (made: Made) => (made.close ? made.close() : made.drop?.());

/**
 * Made once for all tests of the file or block. The returned object is filled before the first test, and so is its `app`, which may be taken
 * out of it earlier.
 */
export function sharedByTests<T extends object>(make: () => Promise<T>): T {
  const app = {};
  const shared = { app } as T & Made;
  beforeAll(async () => {
    const made: T & Made = await make();
    Object.assign(shared, made, { app: made.app && Object.assign(app, made.app) });
  });
  afterAll(() => end(shared));
  return shared;
}

/** Made again before each test of the file or block. */
export function newForEachTest<T extends object>(make: () => Promise<T>): T {
  const shared = {} as T;
  beforeEach(async () => void Object.assign(shared, await make()));
  afterEach(() => end(shared));
  return shared;
}

/** A folder for all tests of the file or block, or a new one `forEachTest`. Returns the path of a name in it. */
export function useFolder(forEachTest?: "forEachTest"): (...names: string[]) => string {
  let folder = "";
  const [before, after] = forEachTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(() => void (folder = mkdtempSync(join(tmpdir(), "atelier-test-"))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return (...names) => join(folder, ...names);
}
