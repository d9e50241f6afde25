// Passkeys (W3C Web Authentication, level 3): adds them to an account, and signs in with them. Each challenge is stored and works once.
import { randomBytes } from "node:crypto";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { getAccount } from "../accounts/get-account.ts";
import { checkName } from "../accounts/rules.ts";
import { countPasskeyMade } from "../accounts/store-in-tx.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { BrowserInfo } from "./rules.ts";
import { openSession, type SignedIn } from "./sign-in.ts";
import {
  deletePasskey,
  findPasskey,
  findPasskeysOf,
  insertChallenge,
  insertPasskey,
  type PasskeyDoc,
  savePasskeyUse,
  takeChallenge,
} from "./store-passkeys.ts";

const CHALLENGE_BYTES = 32;
const CHALLENGE_MS = 5 * 60_000;
const MAX_PASSKEYS = 10;
/** EdDSA, ES256 and RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257];

/** A browser's response to a challenge, as JSON, and the origin of its page. */
export type PasskeyAnswer = {
  readonly challenge: string;
  readonly responseJson: string;
  readonly origin: string;
};

/** Returns options, as JSON, for a browser to create a passkey for the account. `host` is the name of the website. */
export async function startPasskey(app: App, account: AccountDoc, host: string): Promise<string> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const known = await findPasskeysOf(app.mongo.db, account._id);
  if (known.length >= MAX_PASSKEYS) throw tooMany();
  const options = await generateRegistrationOptions({
    rpName: "Atelier",
    rpID: host,
    userID: Uint8Array.from(Buffer.from(account._id)),
    userName: account.email,
    userDisplayName: account.name,
    timeout: CHALLENGE_MS,
    excludeCredentials: known.map(({ _id: id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
    challenge: Uint8Array.from(await newChallenge(app, account._id)),
  });
  return JSON.stringify(options);
}

/** Returns options, as JSON, for a browser to sign in with any passkey that it has for the website. */
export async function startPasskeySignIn(app: App, host: string): Promise<string> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const options = await generateAuthenticationOptions({
    rpID: host,
    timeout: CHALLENGE_MS,
    userVerification: "required",
    challenge: Uint8Array.from(await newChallenge(app, null)),
  });
  return JSON.stringify(options);
}

async function newChallenge(app: App, accountId: string | null): Promise<Buffer> {
  const challenge = randomBytes(CHALLENGE_BYTES);
  const expires_at = new Date(app.clock.now().getTime() + CHALLENGE_MS);
  await insertChallenge(app.mongo.db, {
    _id: challenge.toString("base64url"),
    account_id: accountId,
    expires_at,
  });
  return challenge;
}

/**
 * Adds the passkey that a browser created. `account` is as it was before the call. Throws the same invalid_request for every response that is
 * not accepted, and invalid_request for one passkey too many, even if many are added at the same time.
 */
export async function addPasskey(
  app: App,
  account: AccountDoc,
  { name, ...answer }: PasskeyAnswer & { name: string },
): Promise<PasskeyDoc> {
  const { db } = app.mongo;
  const accountId = account._id;
  const called = checkName(name);
  const made = await verifyAnswer<{ id: string; publicKey: Uint8Array; counter: number }>(
    app,
    { ...answer, accountId },
    async (sent, expected) => {
      // The library checks its content.
      const response = sent as RegistrationResponseJSON;
      const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
      const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
      const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
      // Certificates are not requested. Verifying them would fetch URLs that they name.
      const [format, statement] = [attestation.get("fmt"), attestation.get("attStmt")];
      if (format !== "none" && (format !== "packed" || statement.get("x5c") !== undefined)) return undefined;
      const asked = { ...expected, supportedAlgorithmIDs: ALGORITHMS };
      return (await verifyRegistrationResponse({ ...asked, response })).registrationInfo?.credential;
    },
  );
  return inTx(app, async (tx) => {
    const doc: PasskeyDoc = {
      _id: made.id,
      account_id: accountId,
      public_key: Buffer.from(made.publicKey).toString("base64url"),
      counter: made.counter,
      name: called,
      created_at: tx.now,
      last_used_at: null,
    };
    // This comes first, so that of two concurrent additions the later one conflicts before it has counted. Undoing a change of the address
    // removes all passkeys: none is added by a request that began before.
    if (!(await countPasskeyMade(db, account, tx))) throw refused();
    // The authenticator's id belongs to another account's passkey, or to an existing one.
    if (await findPasskey(db, doc._id, tx)) throw refused();
    if ((await findPasskeysOf(db, accountId, tx)).length >= MAX_PASSKEYS) throw tooMany();
    await insertPasskey(db, doc, tx);
    return doc;
  });
}

/**
 * Opens a session of the account whose passkey responded. Throws the same invalid_request for every response that is not accepted, and
 * account_suspended.
 */
export async function signInByPasskey(
  app: App,
  answer: PasskeyAnswer,
  browser: BrowserInfo,
): Promise<SignedIn> {
  const { db } = app.mongo;
  const { passkey, newCounter } = await verifyAnswer<{ passkey: PasskeyDoc; newCounter: number }>(
    app,
    { ...answer, accountId: null },
    async (sent, expected) => {
      const response = sent as AuthenticationResponseJSON;
      const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
      const found = await findPasskey(db, response.id);
      const holder = Buffer.from(response.response.userHandle ?? "", "base64url").toString();
      if (!found || holder !== found.account_id) return undefined;
      const { _id: id, counter } = found;
      const publicKey = Uint8Array.from(Buffer.from(found.public_key, "base64url"));
      const credential = { id, publicKey, counter };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response,
        credential,
      });
      return verified ? { passkey: found, newCounter: authenticationInfo.newCounter } : undefined;
    },
  );
  const account = await getAccount(app, passkey.account_id);
  if (account.status === "suspended") throw new AppError("account_suspended");
  return openSession(app, { account, browser, now: app.clock.now() }, async (tx) => {
    if (!(await savePasskeyUse(db, passkey, { newCounter, at: tx.now }, tx))) throw refused();
  });
}

type Expected = {
  readonly expectedChallenge: string;
  readonly expectedOrigin: string;
  readonly expectedRPID: string;
  readonly requireUserVerification: true;
};

/** The result of `verify`. Throws invalid_request if there is none, or if it failed on what the browser sent. */
async function verifyAnswer<Found>(
  app: App,
  { challenge, responseJson, origin, accountId }: PasskeyAnswer & { accountId: string | null },
  verify: (sent: unknown, expected: Expected) => Promise<Found | undefined>,
): Promise<Found> {
  const asked = await takeChallenge(app.mongo.db, challenge);
  if (!asked || asked.account_id !== accountId || asked.expires_at <= app.clock.now()) throw refused();
  const expected: Expected = {
    expectedChallenge: asked._id,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  };
  const found = await Promise.resolve(responseJson)
    .then((json) => verify(JSON.parse(json), expected))
    .catch((error: unknown) => {
      app.log.info({ err: error }, "a passkey's response was refused");
      return undefined;
    });
  if (found === undefined) throw refused();
  return found;
}

/** Throws not_found for another account's passkey just as for one that does not exist. */
export async function removePasskey(app: App, accountId: string, id: string): Promise<void> {
  if (await deletePasskey(app.mongo.db, accountId, id)) return;
  throw new AppError("not_found", {
    message: "There is no such passkey.",
    hint: "Use a passkey_id from the list of passkeys.",
  });
}

function refused(): AppError {
  return invalidField("passkey", "was not accepted: try again");
}

function tooMany(): AppError {
  return invalidField("passkey", `is one too many: an account has at most ${MAX_PASSKEYS}. Remove one first`);
}
