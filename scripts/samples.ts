// `npm run samples`: every sample of the docs in every language that is installed, Go among them, against a service of its own with the
// shipped models. Ends with code 1 where one does something else than the docs say.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadChapters } from "../gateway/site/docs/chapters.ts";
import { type Language, LANGUAGES } from "../gateway/site/docs/guide-text.ts";
import { startOwn } from "./demo/service.ts";
import { notRunOf, programsOf, receiversOf } from "../test/site/docs-samples/programs.ts";
import { openRecorder, tryReceiver } from "../test/site/docs-samples/receivers.ts";
import { isInstalled, runPrograms } from "../test/site/docs-samples/run.ts";
import { makeSurroundings } from "../test/site/docs-samples/environment.ts";

const undos: (() => Promise<void> | void)[] = [];

async function runAll(): Promise<boolean> {
  const { access } = await startOwn((undo) => undos.push(undo), { ATELIER_RATE_LIMITS: "off" });
  const folder = mkdtempSync(join(tmpdir(), "atelier-samples-"));
  undos.push(() => rmSync(folder, { recursive: true, force: true }));
  const recorder = await openRecorder();
  undos.push(() => recorder.close());
  const chapters = loadChapters({
    baseUrl: access.base_url,
    generationBaseUrl: access.generation_base_url,
  });
  let isRight = true;
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    if (!isInstalled(language)) {
      console.log(`not run  ${LANGUAGES[language]}: it is not installed`);
      continue;
    }
    const own = await makeSurroundings(language, { folder, secrets: access, callbackUrl: recorder.url });
    const programs = programsOf(chapters, language);
    const problems = await runPrograms(language, programs, own);
    for (const sample of receiversOf(chapters).filter((one) => one.language === language))
      problems.push(...(await tryReceiver(sample, await recorder.delivery(), own)));
    const samples = programs.reduce((sum, { expected }) => sum + expected.length, 0);
    const outcome = problems.length === 0 ? "ok     " : "FAILED ";
    console.log(
      `${outcome}  ${LANGUAGES[language]}: ${samples} samples of ${programs.length} chapters, and its receivers`,
    );
    for (const problem of problems) console.log(problem.replace(/^/gm, "         "));
    isRight &&= problems.length === 0;
  }
  for (const command of notRunOf(chapters)) console.log(`not run  ${command}`);
  return isRight;
}

try {
  process.exitCode = (await runAll()) ? 0 : 1;
} finally {
  for (const undo of undos.reverse()) await undo();
}
