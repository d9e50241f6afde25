// A Web Authentication authenticator without a device: creates passkeys and signs challenges, correctly or not.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Options = {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
};

/** An attacker's changes. */
export type Deviation = {
  readonly origin?: string;
  readonly challenge?: string;
  readonly credentialId?: string;
  readonly userHandle?: string;
  /** Present, but not verified. */
  readonly isUnverified?: boolean;
  /** Default: one more than the last time. */
  readonly counter?: number;
  /** An attestation with a certificate. */
  readonly hasCertificate?: boolean;
};

export type Authenticator = {
  create(options: Options, origin: string, deviation?: Deviation): string;
  get(options: Options, origin: string, deviation?: Deviation): string;
};

const [PRESENT, VERIFIED, HAS_KEY] = [0x01, 0x04, 0x40];
const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString("base64url");
const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
/** Short CBOR strings. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59]), uint16(value.length), value]);

/** With one ES256 passkey. */
export function createAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = base64url(randomBytes(32));
  let userHandle = "";
  let signatures = 0;

  const data = (
    host: string,
    flags: number,
    { isUnverified = false, counter = (signatures += 1) }: Deviation,
  ) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      sha256(host),
      Buffer.from([PRESENT | (isUnverified ? 0 : VERIFIED) | flags]),
      count,
    ]);
  };
  const client = (type: string, { challenge }: Options, origin: string, deviation: Deviation) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...pick(deviation) }));
  const credential = (credentialId: string, response: Record<string, string>) =>
    JSON.stringify({
      id: credentialId,
      rawId: credentialId,
      type: "public-key",
      response,
      clientExtensionResults: {},
    });

  return {
    create: (options, origin, deviation = {}) => {
      userHandle = options.user?.id ?? "";
      const used = deviation.credentialId ?? id;
      const rawId = Buffer.from(used, "base64url");
      const coseKey = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const authData = Buffer.concat([
        data(options.rp?.id ?? "", HAS_KEY, deviation),
        Buffer.alloc(16),
        uint16(rawId.length),
        rawId,
        coseKey,
      ]);
      const certified = deviation.hasCertificate ?? false;
      const statement = certified
        ? [Buffer.from([0xa1]), text("x5c"), Buffer.from([0x81]), bytes(Buffer.alloc(8))]
        : [Buffer.from([0xa0])];
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        text("fmt"),
        text(certified ? "packed" : "none"),
        text("attStmt"),
        ...statement,
        text("authData"),
        bytes(authData),
      ]);
      return credential(used, {
        clientDataJSON: base64url(client("webauthn.create", options, origin, deviation)),
        attestationObject: base64url(attestationObject),
      });
    },
    get: (options, origin, deviation = {}) => {
      const clientData = client("webauthn.get", options, origin, deviation);
      const authenticatorData = data(options.rpId ?? "", 0, deviation);
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      return credential(deviation.credentialId ?? id, {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign("sha256", signed, privateKey)),
        userHandle: deviation.userHandle ?? userHandle,
      });
    },
  };
}

function pick({ origin, challenge }: Deviation): Record<string, string> {
  return { ...(origin !== undefined && { origin }), ...(challenge !== undefined && { challenge }) };
}
