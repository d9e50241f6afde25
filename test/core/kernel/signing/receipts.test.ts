// Receipts of one state are one string, keys rotate without a gap, and an invalid key stops the start.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { compactVerify, importJWK } from "jose";
import { expect, test } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { listReceiptKeys, signReceipt } from "../../../../core/kernel/signing/receipts.ts";
import { canonicalJson } from "../../../../core/studio/jobs/receipt.ts";
import { loadSigningKeys } from "../../../../runtime/keys/signing-keys.ts";
import { useTestApp } from "../../../support/app.ts";

const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
const [OLD, NEW] = [0, 1].map(() => pemOf(generateKeyPairSync("ed25519").privateKey)) as [string, string];
const PRODUCTION = { profile: "production", dataDir: "" } as const;

const made = useTestApp();

const withKeys = (...pems: string[]): App => ({
  ...made.app,
  signingKeys: loadSigningKeys({ ...PRODUCTION, receiptKeys: pems.join("") }),
});

async function verified(app: App, receipt = ""): Promise<unknown> {
  const keys = await listReceiptKeys(app);
  const { payload } = await compactVerify(
    receipt,
    ({ kid }) =>
      importJWK({ kty: "OKP", crv: "Ed25519", x: keys.find(({ _id }) => _id === kid)?.x ?? "" }, "EdDSA"),
    { algorithms: ["EdDSA"] },
  );
  return JSON.parse(new TextDecoder().decode(payload));
}

test("a receipt stays valid through a key rotation, and after its key is gone", async () => {
  const payload = { job_id: "job_1" };
  const first = await signReceipt(withKeys(OLD), payload);
  expect(await signReceipt(withKeys(OLD), payload)).toBe(first);
  const overlapping = withKeys(OLD, NEW);
  expect(await signReceipt(overlapping, payload)).toBe(first);
  expect(await listReceiptKeys(overlapping)).toHaveLength(2);
  const second = await signReceipt(withKeys(NEW, OLD), payload);
  expect(second).not.toBe(first);
  for (const receipt of [first, second]) expect(await verified(withKeys(NEW), receipt)).toEqual(payload);
});

test("production without a key signs nothing", async () => {
  const app = { ...made.app, signingKeys: loadSigningKeys({ ...PRODUCTION, receiptKeys: undefined }) };
  expect(await signReceipt(app, {})).toBeUndefined();
});

test.each([
  ["no key", /ATELIER_RECEIPT_KEYS: holds no private key/],
  [
    OLD + pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey),
    /key 2 cannot be used: it is no Ed25519 key/,
  ],
  ["-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", /key 1 cannot be used/],
])("the configuration refuses keys that cannot sign: %#", (receiptKeys, message) => {
  expect(() => loadSigningKeys({ ...PRODUCTION, receiptKeys })).toThrow(message);
});

test("the digest of a request is taken over RFC 8785, whose names are sorted by code units", () => {
  const value = {
    "\u20ac": "Euro",
    "\r": 1,
    "10": [null, { b: 2, a: 1e21 }],
    "9": 4.5,
    "\u{1f600}": "",
    "\ufb33": true,
  };
  expect(canonicalJson(value)).toBe(
    `{"\\r":1,"10":[null,{"a":1e+21,"b":2}],"9":4.5,"\u20ac":"Euro","\u{1f600}":"","\ufb33":true}`,
  );
});
