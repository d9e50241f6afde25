// Downloaded outputs of every format, read by c2pa-python: a build of the C2PA library that the service does not use. Skipped without
// python3, or when PyPI is unreachable and the package was never installed.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authoritiesIn, toPem } from "../../core/kernel/content-credentials/certificates.ts";
import { loadDevelopmentPem } from "../../core/kernel/content-credentials/development-authority.ts";
import { createCustomer } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { useFolder } from "../support/shared.ts";
import { flipped, wholeFiles, withManifestOf, withOtherStatement } from "../support/signed-files.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const VERSION = "0.38.1";
const READER = fileURLToPath(new URL("read_credentials.py", import.meta.url));
/** Kept between runs. */
const INSTALLED = fileURLToPath(new URL(`../../.cache/c2pa-python-${VERSION}`, import.meta.url));
const INSTALL_BOUND_MS = 120_000;

function isInstalled(): boolean {
  if (existsSync(join(INSTALLED, "c2pa"))) return true;
  const options = ["--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--target", INSTALLED];
  const install = ["-m", "pip", "install", ...options, `c2pa-python==${VERSION}`];
  return spawnSync("python3", install, { timeout: INSTALL_BOUND_MS }).status === 0;
}

const MODELS = { image: "picture", audio: "tune", video: "clip" } as const;
type Read = { state: string; failures: string[]; assertions?: Record<string, Record<string, unknown>> };
type Made = { readonly jobId: string; readonly bytes: Buffer };

let service: WholeService;
const work = useFolder();
let key: string;

describe.skipIf(!isInstalled())("c2pa-python (skipped without python3 and PyPI)", () => {
  beforeAll(async () => {
    const files = [await wholeFiles(0), await wholeFiles(1)];
    service = await startWholeService({
      provider: createScriptedProvider({
        answer: ({ prompt }) => {
          const [mimeType = "", variant] = prompt.split(" ");
          return [{ mimeType, bytes: files[Number(variant)]?.get(mimeType) ?? Buffer.alloc(0) }];
        },
      }),
      env: { ATELIER_CONTENT_CREDENTIALS: "on" },
    });
    ({ key } = await createCustomer(service.app));
    const own = await loadDevelopmentPem(service.config.dataDir, new Date());
    writeFileSync(work("anchors.pem"), toPem(authoritiesIn(own)));
  });
  afterAll(() => service.close());

  async function make(mimeType: string, variant: number): Promise<Made> {
    const modality = mimeType.split("/")[0] as keyof typeof MODELS;
    const asked = { modality, model_slug: MODELS[modality], prompt: `${mimeType} ${variant}` };
    const { job_id: jobId, outputs } = await service.make(key, asked);
    const answer = await fetch(String(outputs[0]?.url));
    return { jobId, bytes: Buffer.from(await answer.arrayBuffer()) };
  }

  /** Each file's verdict by the independent reader, by name. */
  function read(mimeType: string, files: Readonly<Record<string, Buffer>>): Record<string, Read> {
    const names = Object.keys(files);
    const paths = names.map((name) => work(name.replaceAll(" ", "-")));
    for (const [at, path] of paths.entries()) writeFileSync(path, files[names[at] ?? ""] ?? "");
    const said = execFileSync("python3", [READER, work("anchors.pem")], {
      env: { PATH: process.env["PATH"], PYTHONPATH: INSTALLED, PYTHONDONTWRITEBYTECODE: "1" },
      input: paths.map((path) => `${mimeType} ${path}\n`).join(""),
    });
    const lines = said.toString().trim().split("\n");
    return Object.fromEntries(names.map((name, at) => [name, JSON.parse(lines[at] ?? "") as Read]));
  }

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
  ])("[MARK-03] validates an output in %s, and rejects it after any change", async (mimeType) => {
    const [one, other] = [await make(mimeType, 0), await make(mimeType, 1)];
    const { whole, ...changed } = read(mimeType, {
      whole: one.bytes,
      "one flipped bit": flipped(one.bytes),
      "the last byte missing": one.bytes.subarray(0, -1),
      "half of it": one.bytes.subarray(0, one.bytes.length >> 1),
      "the manifest of another file": withManifestOf(other.bytes, one.bytes),
      "its manifest in another file": withManifestOf(one.bytes, other.bytes),
      "a statement rewritten": withOtherStatement(one.bytes, one.jobId.slice(0, 16)),
    });
    expect(whole).toMatchObject({
      state: "Trusted",
      failures: [],
      assertions: {
        "org.atelier.generation": {
          job_id: one.jobId,
          ledger_entry_id: `led_${one.jobId.slice(4)}_debit`,
          ledger_entry_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          model_slug: expect.any(String) as string,
          output_index: 0,
        },
      },
    });
    for (const [name, { state, failures }] of Object.entries(changed)) {
      expect(["Invalid", "refused"], `${mimeType}, ${name}`).toContain(state);
      expect(failures, `${mimeType}, ${name}`).not.toEqual([]);
    }
  });
});
