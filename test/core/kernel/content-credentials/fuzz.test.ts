// Broken files with Content Credentials: none ends the process or exhausts memory, and each gets a known verdict. 1,000 of them with
// `--mode thorough`.
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createVerifying, verifyFile } from "../../../../core/studio/jobs/verify-file.ts";
import { AppError } from "../../../../proto/codes.ts";
import { CREDENTIALS_STATES } from "../../../../proto/resources/verified-file.ts";
import { createTestApp, type TestApp } from "../../../support/app.ts";
import { createBreaker } from "../../../support/break-file.ts";
import { makeTestIssuer, signFile, storeOf, wholeFiles } from "../../../support/signed-files.ts";
import { inPieces } from "../../studio/uploads/pictures.ts";

const FILES = inject("brokenSignedFiles");
const MAX_GROWTH_MB = 500;
const MIB = 2 ** 20;

let testApp: TestApp;
let signed: Buffer[];

beforeAll(async () => {
  const issuer = await makeTestIssuer();
  testApp = await createTestApp({ env: { ATELIER_CONTENT_CREDENTIALS_CERT: issuer.pem } });
  const { engine } = testApp.app.credentials;
  const files = [...(await wholeFiles())];
  signed = await Promise.all(files.map(([mimeType, bytes]) => signFile(engine, issuer, { bytes, mimeType })));
});
afterAll(() => testApp.close());

const { below, broken } = createBreaker(20_261_123);

/** Every other file is broken inside its manifest only, because large files would rarely be hit there. */
function brokenFile(n: number): Buffer {
  const [one, other] = [signed[n % signed.length], signed[below(signed.length)]];
  if (!one || !other) throw new Error("there are files to break");
  if (below(2) === 0) return broken(one, other);
  const { start, end } = storeOf(one);
  const { start: from, end: to } = storeOf(other);
  const store = broken(one.subarray(start, end), other.subarray(from, to));
  return Buffer.concat([one.subarray(0, start), store, one.subarray(end)]);
}

test(
  `[MARK-05] reading returns a verdict for each of ${FILES} broken files with credentials`,
  { timeout: 1_800_000 },
  async () => {
    const { app } = testApp;
    const verifying = createVerifying(app);
    const counts: Record<string, number> = {};
    const rssBefore = process.memoryUsage.rss();
    let rssMost = rssBefore;
    let slowestMs = 0;
    for (let n = 0; n < FILES; n++) {
      const { signal } = new AbortController();
      const pieces = inPieces(brokenFile(n), 1 + below(50_000));
      const begun = performance.now();
      const outcome = await verifyFile(app, verifying, { pieces, address: "a", signal }).then(
        ({ state }) => state,
        (error: unknown) => {
          // Any other error is a bug.
          if (!(error instanceof AppError)) throw error;
          expect(error.message).toMatch(/^\S.*\.$/);
          return error.code;
        },
      );
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      rssMost = Math.max(rssMost, process.memoryUsage.rss());
    }
    const grownMb = Math.round((rssMost - rssBefore) / MIB);
    console.log(
      `broken files with credentials: ${FILES}, ${JSON.stringify(counts)}; memory grew by ${grownMb} MiB at most, the slowest took ${Math.round(slowestMs)} ms`,
    );
    const known: string[] = [...CREDENTIALS_STATES, "unsupported_input"];
    expect(Object.keys(counts).filter((outcome) => !known.includes(outcome))).toEqual([]);
    expect(counts["invalid"]).toBeGreaterThan(FILES / 3);
    expect(counts["valid"] ?? 0).toBeLessThan(FILES / 10);
    expect(grownMb).toBeLessThan(MAX_GROWTH_MB);

    const [whole] = signed;
    if (!whole) throw new Error("there is a whole file");
    const { signal } = new AbortController();
    const last = await verifyFile(app, verifying, { pieces: inPieces(whole), address: "a", signal });
    expect(last.state, "a whole file after all of them").toBe("valid");
  },
);
