// A setting may come from the file in its variable with _FILE, as containers and systemd provide secrets.
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
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
