// What tells that the clients' types are stale, on copies that are.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findStale, MADE_MODELS, MADE_TYPES } from "../../scripts/clients/shapes.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = "test/gateway/__snapshots__/openapi.json";

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "atelier-shapes-"));
  for (const file of [DOCUMENT, MADE_TYPES, MADE_MODELS]) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What is stale while a file is changed. */
function staleWith(file: string, change: (text: string) => string): string[] {
  const text = readFileSync(join(copy, file), "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(join(copy, file), changed);
  try {
    return findStale(copy);
  } finally {
    writeFileSync(join(copy, file), text);
  }
}

test("the clients' types are those of the document, until a shape of it changes", () => {
  expect(findStale(copy)).toEqual([]);
  expect(staleWith(DOCUMENT, (text) => text.replaceAll('"queue_position"', '"place"'))).toEqual([
    MADE_TYPES,
    MADE_MODELS,
  ]);
  // What an operation says of itself is no shape.
  expect(staleWith(DOCUMENT, (text) => text.replace("Generate an image, a video", "Make an image"))).toEqual(
    [],
  );
});

test("a made file that was edited is found", () => {
  expect(staleWith(MADE_TYPES, (text) => text.replace("queue_position", "place"))).toEqual([MADE_TYPES]);
  expect(staleWith(MADE_MODELS, (text) => text.replace("queue_position", "place"))).toEqual([MADE_MODELS]);
});
