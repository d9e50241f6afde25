// The process behind `npm run atelier -- doctor`: checks an installation with the settings of the process in question, changes nothing, and
// says what to fix.
import { parseArgs } from "node:util";
import { checkConfig, type Config, settingFiles } from "../../runtime/config/config.ts";
import { createLog } from "../../runtime/log/log.ts";
import { FIRST_VERSION, MIGRATIONS } from "../base/migrations/list.ts";
import { findSchemaVersion } from "../base/migrations/schema-version.ts";
import { connectMongo } from "../base/mongo/client.ts";
import { askMajority, serverInfo, findIndexFaults } from "../base/mongo/facts.ts";
import { listWitnesses } from "../identity/log/read-log.ts";
import { checkCertificates } from "../operations/checkup/certificates.ts";
import { checkContentCredentials } from "../operations/checkup/content-credentials.ts";
import {
  ASKED_PARAMETERS,
  checkServer,
  checkIndexes,
  checkSchemaVersion,
  checkWitnesses,
} from "../operations/checkup/database-rules.ts";
import {
  type Check,
  exitCodeOf,
  type Finding,
  runChecks,
  unknown,
  pass,
} from "../operations/checkup/finding.ts";
import { checkCore, checkOpsPort, checkPayments, checkPublicAddress } from "../operations/checkup/outside.ts";
import { checkMail, checkProviders, checkRedis, checkStorage } from "../operations/checkup/services.ts";
import { checkSecretFiles, checkSettings, secretsOf } from "../operations/checkup/settings.ts";
import { ALL_COLLECTIONS } from "./migrate.ts";

/** The time limit for one check; they run side by side. */
const BOUND_MS = 15_000;
const MARKS = { pass: "pass    ", unknown: "unknown ", warn: "warn    ", fail: "FAIL    " } as const;

const { json = false } = parseArgs({ options: { json: { type: "boolean" } } }).values;
const { config, problems } = checkConfig();
const findings = await runChecks(checksOf(config, problems), {
  boundMs: BOUND_MS,
  secrets: secretsOf(config),
});
process.stdout.write(
  json ? `${JSON.stringify({ ok: exitCodeOf(findings) === 0, findings })}\n` : inLines(findings),
);
// A check that timed out may still wait for something.
process.exit(exitCodeOf(findings));

function checksOf(config: Config, problems: readonly string[]): Check[] {
  const now = new Date();
  const fixSetting = "fix the setting that names it";
  return [
    { about: "settings", run: async () => checkSettings(config, problems), fix: fixSetting },
    { about: "files with secrets", run: async () => checkSecretFiles(settingFiles()), fix: fixSetting },
    { about: "certificates", run: async () => checkCertificates(config, now), fix: fixSetting },
    {
      about: "content credentials",
      run: () => checkContentCredentials(config, createLog("silent", "doctor"), now),
      fix: fixSetting,
    },
    {
      about: "MongoDB",
      run: () => checkDatabase(config),
      fix: "see that it runs, can be reached from here, has a primary and takes the password of MONGODB_URI",
    },
    {
      about: "core",
      run: () => checkCore(config, now),
      fix: "see that a core runs, and that its certificate is of ATELIER_CORE_TLS_CA and for the name",
    },
    {
      about: "storage",
      run: (signal) => checkStorage(config, signal),
      fix: "check endpoint, bucket, region and keys of ATELIER_S3_…",
    },
    {
      about: "mail",
      run: () => checkMail(config),
      fix: "check ATELIER_SMTP_URL: host, port, user and password",
    },
    {
      about: "Redis",
      run: () => checkRedis(config),
      fix: "check ATELIER_REDIS_URL; until then each process counts on its own",
    },
    { about: "providers", run: () => checkProviders(config), fix: "let workers connect to them" },
    { about: "payments", run: () => checkPayments(config), fix: "check ATELIER_STRIPE_SECRET_KEY" },
    {
      about: "public address",
      run: () => checkPublicAddress(config, now),
      fix: "see that the name leads to the proxy, and that its certificate is good",
    },
    { about: "operations port", run: () => checkOpsPort(config), fix: "close it to the outside" },
  ];
}

async function checkDatabase({
  mongodbUri,
  mongoDatabase,
  logWitnesses,
}: Config): Promise<readonly Finding[]> {
  if (mongodbUri === undefined)
    return [unknown("MongoDB", "MONGODB_URI is not set here: run this with the settings of a core too")];
  const mongo = await connectMongo(mongodbUri, mongoDatabase);
  try {
    const facts = await serverInfo(mongo, ASKED_PARAMETERS);
    await askMajority(mongo.db);
    return [
      ...checkServer(facts),
      pass("MongoDB writes", "a majority of the members answers"),
      checkSchemaVersion(await findSchemaVersion(mongo.db), FIRST_VERSION + MIGRATIONS.length),
      ...checkIndexes(await findIndexFaults(mongo.db, ALL_COLLECTIONS)),
      ...checkWitnesses(await listWitnesses({ mongo, config: { logWitnesses } })),
    ];
  } finally {
    await mongo.client.close();
  }
}

function inLines(found: readonly Finding[]): string {
  const width = Math.max(...found.map(({ about }) => about.length));
  const lines = found.map(
    ({ verdict, about, what, fix }) =>
      `${MARKS[verdict]}${about.padEnd(width)}  ${what}${fix === undefined ? "" : `\n${" ".repeat(width + 10)}→ ${fix}`}`,
  );
  const count = (verdict: Finding["verdict"]) => found.filter((one) => one.verdict === verdict).length;
  const all = `${count("fail")} failed, ${count("warn")} to improve, ${count("unknown")} that cannot be checked from here`;
  return `${[...lines, all].join("\n")}\n`;
}
