// The profile never fails open: an unknown name is refused, and production refuses unsafe settings unless they are allowed by name.
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";

const PRODUCTION = {
  NODE_ENV: "production",
  ATELIER_SECRET: randomBytes(32).toString("base64"),
  ATELIER_SERVICE_KEY: "given where a key is read, not here",
  ATELIER_BASE_URL: "https://atelier.example",
  MONGODB_URI: "mongodb://db.internal/?replicaSet=atelier",
};

const refusal = (env: Record<string, string>): string => {
  try {
    loadConfig(env);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

test.each(["Production", "PRODUCTION", "prod", "production ", "staging"])(
  "NODE_ENV=%s is refused in one line with the profiles",
  (profile) => {
    const line = refusal({ ...PRODUCTION, NODE_ENV: profile });
    expect(line).toMatch(/^The configuration cannot be used\. NODE_ENV: /);
    for (const name of ["development", "test", "production"]) expect(line).toContain(`"${name}"`);
    expect(line).not.toContain("\n");
  },
);

test("production starts with a safe configuration", () => {
  expect(loadConfig(PRODUCTION).profile).toBe("production");
  expect(loadConfig({ NODE_ENV: "test" }).profile).toBe("development");
  expect(loadConfig({}).profile).toBe("development");
});

describe("production refuses, with the next step,", () => {
  test.each([
    ["ATELIER_BASE_URL", "http://atelier.example", "http_base_url"],
    ["ATELIER_GENERATION_BASE_URL", "http://api.atelier.example", "http_base_url"],
    ["ATELIER_SECRET", "a".repeat(64), "weak_secrets"],
    ["ATELIER_SECRET", "changemechangemechangemechangeme", "weak_secrets"],
    ["ATELIER_SECRET", "0123456789abcdef0123456789abcdef", "weak_secrets"],
    ["ATELIER_SECRET", "abcdefghijklmnopqrstuvwxyzabcdef", "weak_secrets"],
    ["ATELIER_SECRET", "this is an example of a long passphrase", "weak_secrets"],
    ["ATELIER_SECRET_ACCEPTED", "a".repeat(64), "weak_secrets"],
    ["ATELIER_RATE_LIMITS", "off", "rate_limits_off"],
    ["ATELIER_CALLBACK_ALLOW_PRIVATE", "1", "private_callbacks"],
  ])("%s=%s unless %s is allowed", (variable, value, allowance) => {
    const env = { ...PRODUCTION, [variable]: value };
    const line = refusal(env);
    expect(line).toContain(`${variable}: refused in production: `);
    expect(line).toContain(`or allow it with ATELIER_ALLOW_INSECURE=${allowance}`);
    expect(line).not.toContain("\n");
    expect(refusal({ ...env, ATELIER_ALLOW_INSECURE: allowance })).toBe("");
    // Development accepts it.
    expect(refusal({ [variable]: value })).toBe("");
  });

  test("keys of another system over http", () => {
    const env = {
      ...PRODUCTION,
      ATELIER_SESSION_JWKS_URL: "http://id.example/jwks",
      ATELIER_SESSION_ISSUER: "id",
      ATELIER_SESSION_AUDIENCE: "atelier",
    };
    expect(refusal(env)).toContain("ATELIER_SESSION_JWKS_URL: refused in production: ");
    expect(refusal({ ...env, ATELIER_ALLOW_INSECURE: "http_session_keys" })).toBe("");
  });

  test("an object store's default secret", () => {
    const env = {
      ...PRODUCTION,
      ATELIER_S3_ENDPOINT: "https://s3.internal",
      ATELIER_S3_BUCKET: "files",
      ATELIER_S3_ACCESS_KEY_ID: "minioadmin",
      ATELIER_S3_SECRET_ACCESS_KEY: "minioadmin",
    };
    expect(refusal(env)).toContain("ATELIER_S3_SECRET_ACCESS_KEY: refused in production: ");
    expect(refusal({ ...env, ATELIER_S3_SECRET_ACCESS_KEY: randomBytes(20).toString("hex") })).toBe("");
  });

  test("all of these together in one line, each with its own name", () => {
    const env = { ...PRODUCTION, ATELIER_RATE_LIMITS: "off", ATELIER_BASE_URL: "http://atelier.example" };
    const line = refusal({ ...env, ATELIER_ALLOW_INSECURE: "rate_limits_off" });
    expect(line).toContain("ATELIER_BASE_URL");
    expect(line).not.toContain("ATELIER_RATE_LIMITS:");
    expect(refusal({ ...env, ATELIER_ALLOW_INSECURE: "rate_limits_off, http_base_url" })).toBe("");
  });
});

test("the refusal of a secret does not quote it", () => {
  const secret = "changeme-4711-changeme-4711-changeme";
  expect(refusal({ ...PRODUCTION, ATELIER_SECRET: secret })).not.toContain(secret);
});

test("a random secret is never called weak", () => {
  for (let i = 0; i < 500; i++) {
    for (const encoding of ["base64", "base64url", "hex"] as const) {
      const secret = randomBytes(encoding === "hex" ? 16 : 32).toString(encoding);
      expect(refusal({ ...PRODUCTION, ATELIER_SECRET: secret })).toBe("");
    }
  }
});

test("an unknown name in the allowances is refused", () => {
  expect(refusal({ ATELIER_ALLOW_INSECURE: "everything" })).toContain("ATELIER_ALLOW_INSECURE: ");
});
