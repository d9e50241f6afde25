// Settings from files, as containers and systemd provide secrets, and databases that development refuses to write.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadConfig, checkConfig } from "../../runtime/config/config.ts";
import { useFolder } from "../support/shared.ts";

const folder = useFolder();

const secret = "kP3v9Zq1Xw7Lm5Rt8Yb2Nc6Hd4Jf0Gs5";
const file = (name: string, content: string): string => {
  const path = folder(name);
  writeFileSync(path, content);
  return path;
};

test.each([
  ["unchanged", secret],
  ["without the line break at its end", `${secret}\n`],
  ["without a CRLF at its end", `${secret}\r\n`],
])("a secret is read from its file, %s", (_how, content) => {
  expect(loadConfig({ ATELIER_SECRET_FILE: file("secret", content) }).secret).toBe(secret);
});

test("a value of several lines keeps its inner line ends", () => {
  const pem = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\n";
  expect(loadConfig({ ATELIER_SERVICE_KEY_FILE: file("key.pem", pem) }).serviceKey).toBe(pem.trimEnd());
});

test("the JSON of providers and the keys that it names may both come from files", () => {
  const json =
    '{"openai": {"package": "@ai-sdk/openai", "export": "createOpenAI", "options": {"apiKey": "${env.OPENAI_API_KEY}"}}}';
  const config = loadConfig({
    ATELIER_AI_SDK_PROVIDERS_FILE: file("providers.json", json),
    OPENAI_API_KEY_FILE: file("openai", "sk-of-a-file\n"),
  });
  expect(config.aiSdkProviders.openai?.options).toEqual({ apiKey: "sk-of-a-file" });
});

test("a missing file is reported with its variable and nothing else", () => {
  const path = folder("missing");
  expect(() => loadConfig({ ATELIER_SECRET_FILE: path })).toThrow(
    `The configuration cannot be used. ATELIER_SECRET_FILE: ${path} cannot be read (ENOENT)`,
  );
});

test("a setting that is given twice is refused, without its value", () => {
  const given = { ATELIER_SECRET: secret, ATELIER_SECRET_FILE: file("secret", "another one") };
  expect(() => loadConfig(given)).toThrow("ATELIER_SECRET: ATELIER_SECRET_FILE is set as well");
  expect(() => loadConfig(given)).not.toThrow(/kP3v|another one/);
});

test("a value from a file follows the rules of its setting", () => {
  expect(() => loadConfig({ ATELIER_HTTP_PORT_FILE: file("port", "many\n") })).toThrow(/ATELIER_HTTP_PORT: /);
});

const problemsOf = (env: Record<string, string>) =>
  checkConfig(env).problems.filter((problem) => problem.startsWith("MONGODB_URI"));

test.each([
  "mongodb://db.internal",
  "mongodb://10.0.0.1:27017/?replicaSet=rs",
  "mongodb://user:p@localhost@db.internal/",
  "mongodb://localhost.evil.example",
  "mongodb://127.0.0.1,db.internal:27017/atelier",
  "mongodb://localhost:27017,db",
  "mongodb+srv://cluster.example.net",
  "mongodb+srv://localhost.example.net/?x=localhost",
  "MONGODB://db.internal",
  "mongodb://[2001:db8::1]:27017",
  "mongodb://0.0.0.0",
])("development does not start with %s without an explicit setting", (uri) => {
  for (const NODE_ENV of ["", "development", "test"])
    expect(problemsOf({ NODE_ENV, MONGODB_URI: uri })).toEqual([
      "MONGODB_URI: not on this machine, and NODE_ENV is not production, so sample data would be written there. " +
        "Set NODE_ENV=production, or ATELIER_ALLOW_DEV=1 if it is a database for development",
    ]);
  expect(problemsOf({ MONGODB_URI: uri, ATELIER_ALLOW_DEV: "1" })).toEqual([]);
  expect(problemsOf({ MONGODB_URI: uri, NODE_ENV: "production" })).toEqual([]);
});

test.each([
  "mongodb://127.0.0.1:27027/?directConnection=true",
  "mongodb://localhost",
  "mongodb://user:p%40ss@localhost:1,127.0.0.2:2,[::1]:3/atelier?replicaSet=rs",
  "mongodb://%2Ftmp%2Fmongodb-27017.sock/atelier",
])("development starts with %s", (uri) => {
  expect(problemsOf({ MONGODB_URI: uri })).toEqual([]);
});

test("[LIM-01] rate limits are by default 60 generate requests and 600 others a minute for each key, and 20 invalid keys for each address", () => {
  const { rateGeneratePerMinute, rateApiPerMinute, rateFailedKeysPerMinute } = loadConfig({});
  expect([rateGeneratePerMinute, rateApiPerMinute, rateFailedKeysPerMinute]).toEqual([60, 600, 20]);
});

test("the archive begins after the time for which files are kept", () => {
  const of = (ATELIER_ARCHIVE_AFTER_DAYS: string) =>
    loadConfig({ ATELIER_ARCHIVE_AFTER_DAYS, ATELIER_OUTPUT_DAYS: "365" }).archiveAfterDays;
  expect(() => of("365")).toThrow("ATELIER_ARCHIVE_AFTER_DAYS: must be more than ATELIER_OUTPUT_DAYS");
  expect([of("366"), of("0")]).toEqual([366, 0]);
});
