// The JavaScript client builds at its installation: its types come from the OpenAPI document, and dist/ has no imports outside of it.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { useFolder } from "../support/shared.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT = "test/gateway/__snapshots__/openapi.json";

const copy = useFolder();
beforeAll(() => {
  for (const path of [
    "tsconfig.json",
    "clients/js/package.json",
    "clients/js/tsconfig.json",
    "clients/js/build.js",
  ])
    copyIn(path);
  cpSync(join(ROOT, "clients/js/src"), copy("clients/js/src"), {
    recursive: true,
    filter: (path) => !path.endsWith("openapi.ts"),
  });
  copyIn(DOCUMENT);
  symlinkSync(join(ROOT, "node_modules"), copy("node_modules"));
});

function copyIn(path: string): void {
  mkdirSync(dirname(copy(path)), { recursive: true });
  cpSync(join(ROOT, path), copy(path));
}

test("[CLIENT-05] a program is type-checked against the OpenAPI document of the installed client", () => {
  const document = readFileSync(copy(DOCUMENT), "utf8");
  expect(document).toContain('"queue_position"');
  writeFileSync(copy(DOCUMENT), document.replaceAll('"queue_position"', '"place"'));
  const project = copy("project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  // npm runs `prepare` for a linked folder.
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "../clients/js"], {
    cwd: project,
    stdio: "ignore",
  });
  const program = `
    import { Atelier, type Job, type JobFilter, type Product } from "@atelier/client";
    const atelier = new Atelier({ baseUrl: "https://atelier.example", apiKey: "key" });
    export const newest = async (filter: JobFilter): Promise<Job | undefined> => {
      for await (const job of atelier.jobs(filter)) return job;
      return undefined;
    };
    export const place = (job: Job): number | null | undefined => job.place;
    export const pictures: JobFilter = { modality: "image", metadata: { order: "4711" } };
    export const scope: Product["slug"] = "icons";
    // @ts-expect-error: no such modality
    export const wrong: JobFilter = { modality: "picture" };
    // @ts-expect-error: the document does not know it
    export const unknown = (job: Job) => job.queue_position;
  `;
  writeFileSync(join(project, "program.ts"), program);
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, "program.ts"], { cwd: project });
  expect(stdout.toString()).toBe("");
});
