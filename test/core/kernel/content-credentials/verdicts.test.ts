// Verdicts on signed files of each kind: intact, tampered with, and signed by others. The library reads them in its own thread.
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createCredentialsEngine,
  type CredentialsEngine,
} from "../../../../core/kernel/content-credentials/engine.ts";
import {
  carriesStore,
  verifyReport,
  type Verdict,
} from "../../../../core/kernel/content-credentials/verdict-rules.ts";
import {
  flipped,
  makeTestIssuer,
  ORIGIN,
  signFile,
  type TestIssuer,
  TRAINED,
  wholeFiles,
  withManifestOf,
  withOtherStatement,
} from "../../../support/signed-files.ts";

let engine: CredentialsEngine;
let own: TestIssuer;
let stranger: TestIssuer;
let files: ReadonlyMap<string, Buffer>;
let others: ReadonlyMap<string, Buffer>;

beforeAll(async () => {
  engine = createCredentialsEngine({ log: pino({ level: "silent" }) });
  [own, stranger, files, others] = await Promise.all([
    makeTestIssuer(),
    makeTestIssuer(),
    wholeFiles(),
    wholeFiles(1),
  ]);
});
afterAll(() => engine.close());

async function verdictOf(bytes: Buffer, mimeType: string, anchors = own.anchors): Promise<Verdict> {
  const report = await engine.read({ bytes, mimeType, anchors });
  return verifyReport(report, { carriesStore: carriesStore(bytes), ownIssuer: own.known });
}

function fileOf(mimeType: string, from = files): Buffer {
  const bytes = from.get(mimeType);
  if (!bytes) throw new Error(`there is no file of ${mimeType}`);
  return bytes;
}

describe("content credentials of a file", () => {
  test.each([
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/gif",
    "image/avif",
    "audio/wav",
    "audio/mpeg",
    "audio/flac",
    "video/mp4",
  ])("[MARK-03] are valid in %s, and invalid after any change", async (mimeType) => {
    const sign = (from: ReadonlyMap<string, Buffer>) =>
      signFile(engine, own, { bytes: fileOf(mimeType, from), mimeType });
    const [signed, other] = await Promise.all([sign(files), sign(others)]);
    expect(await verdictOf(signed, mimeType)).toEqual({
      state: "valid",
      signature_valid: true,
      bytes_match: true,
      issuer: {
        name: "Atelier development signer",
        organization: "Atelier",
        is_this_service: true,
        is_trusted: true,
        is_self_made: true,
      },
      generator: "Atelier",
      digital_source_type: TRAINED,
      origin: ORIGIN,
      ingredients: [],
      problems: [],
    });
    expect(await verdictOf(fileOf(mimeType), mimeType)).toMatchObject({ state: "none", issuer: null });

    const changed = await verdictOf(flipped(signed), mimeType);
    expect(changed).toMatchObject({ state: "invalid", bytes_match: false, origin: ORIGIN });
    expect(changed.problems.map(({ message }) => message)).toContain(
      "The file was changed after it was signed: its bytes are not those that were signed.",
    );
    const anothers = await verdictOf(withManifestOf(other, signed), mimeType);
    expect(anothers).toMatchObject({ state: "invalid", bytes_match: false });
    const rewritten = await verdictOf(withOtherStatement(signed), mimeType);
    expect(rewritten).toMatchObject({ state: "invalid", origin: null });
    for (const left of [signed.length - 7, signed.length >> 1, 200]) {
      const { state } = await verdictOf(signed.subarray(0, left), mimeType);
      expect(["invalid", "none"], `${left} bytes of ${mimeType}`).toContain(state);
    }
  });

  test("of another issuer are valid, but their name and statements do not make them this service's", async () => {
    const bytes = await signFile(engine, stranger, { bytes: fileOf("image/png"), mimeType: "image/png" });
    const verdict = await verdictOf(bytes, "image/png");
    expect(verdict).toMatchObject({
      state: "other_issuer",
      signature_valid: true,
      bytes_match: true,
      origin: null,
      problems: [],
      issuer: {
        name: "Atelier development signer",
        is_this_service: false,
        is_trusted: false,
        is_self_made: null,
      },
    });
    expect(await verdictOf(bytes, "image/png", own.anchors + stranger.anchors)).toMatchObject({
      state: "other_issuer",
      issuer: { is_this_service: false, is_trusted: true },
    });
  });

  test("name the file's ingredients, and whether their credentials are valid", async () => {
    const parent = await signFile(engine, stranger, { bytes: fileOf("image/jpeg"), mimeType: "image/jpeg" });
    const made = async (bytes: Buffer) =>
      verdictOf(
        await signFile(engine, own, {
          bytes: fileOf("image/png"),
          mimeType: "image/png",
          ingredients: [{ title: "input", relationship: "inputTo", mimeType: "image/jpeg", bytes }],
        }),
        "image/png",
      );
    const ingredient = { title: "input", relationship: "inputTo", mime_type: "image/jpeg" };
    expect(await made(parent)).toMatchObject({
      state: "valid",
      ingredients: [{ ...ingredient, state: "valid" }],
    });
    expect(await made(fileOf("image/jpeg"))).toMatchObject({
      state: "valid",
      ingredients: [{ ...ingredient, state: "none" }],
    });
    expect(await made(flipped(parent))).toMatchObject({ ingredients: [{ ...ingredient, state: "invalid" }] });
  });

  test("are reported as expired after the certificate has ended", async () => {
    const DAY_MS = 86_400_000;
    const old = await makeTestIssuer(new Date(Date.now() - 400 * DAY_MS));
    const bytes = await signFile(engine, old, { bytes: fileOf("image/png"), mimeType: "image/png" });
    const { state, problems } = await verdictOf(bytes, "image/png");
    expect(state).toBe("invalid");
    expect(problems.map(({ message }) => message).join(" ")).toContain(
      "certificate of the signature is not valid at this time",
    );
  });
});

describe("text that a hostile file declares", () => {
  const report = (change: object) => {
    const status = (code: string) => ({ code });
    const store = {
      active_manifest: "a",
      manifests: {
        a: {
          claim_generator_info: [{ name: "x\u202e\u0000y".repeat(1_000) }],
          signature_info: { issuer: "O\u200b".repeat(500), common_name: "\u0007", cert_serial_number: "1" },
          ingredients: Array.from({ length: 50 }, () => ({
            title: "t".repeat(10_000),
            relationship: "parentOf",
          })),
          ...change,
        },
      },
      validation_state: "Invalid",
      validation_results: {
        activeManifest: {
          success: [],
          informational: [],
          failure: Array.from({ length: 90 }, (_, n) => status(`some.${n}${"z".repeat(999)}`)),
        },
      },
    };
    return verifyReport(
      { state: "invalid", store: store as never },
      { carriesStore: true, ownIssuer: own.known },
    );
  };

  test("is truncated and stripped of invisible characters", () => {
    const { generator, issuer, ingredients, problems } = report({});
    expect(generator).toMatch(/^(xy)+$/);
    expect(generator).toHaveLength(200);
    expect(issuer).toMatchObject({ name: null, organization: expect.stringMatching(/^O+$/) as string });
    expect(ingredients).toHaveLength(20);
    expect(ingredients[0]?.title).toHaveLength(200);
    expect(problems).toHaveLength(20);
    expect(problems.every(({ code }) => code.length <= 200)).toBe(true);
  });

  test("in an unknown shape is unreadable", () => {
    expect(report({ assertions: "all" })).toMatchObject({
      state: "invalid",
      problems: [{ code: "unreadable" }],
    });
  });
});
