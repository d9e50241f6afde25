import { spawnSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  certificatesIn,
  readSigners,
  signerAt,
} from "../../../../core/kernel/content-credentials/certificates.ts";
import { coseSign1, reservedSize } from "../../../../core/kernel/content-credentials/cose.ts";
import {
  developmentFile,
  makeAuthority,
} from "../../../../core/kernel/content-credentials/development-authority.ts";
import {
  type EngineOptions,
  createCredentialsEngine,
  withMaxMemory,
} from "../../../../core/kernel/content-credentials/engine.ts";
import { prepareToSign, problemOf } from "../../../../core/kernel/content-credentials/try-signer.ts";
import { carriesStore, verifyReport } from "../../../../core/kernel/content-credentials/verdict-rules.ts";
import { checkContentCredentials } from "../../../../core/operations/checkup/content-credentials.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { checkConfig, loadConfig } from "../../../../runtime/config/config.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { newDataDir, openCredentials } from "./fixtures.ts";

const DAY_MS = 86_400_000;
const log = pino({ level: "silent" });
const undos: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of undos.splice(0).toReversed()) await undo();
});

function newFolder(): string {
  const { dataDir, remove } = newDataDir();
  undos.push(remove);
  return dataDir;
}

describe("signing threads", () => {
  const signer = { chain: [], key: generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey };
  function begin(options: Partial<EngineOptions> = {}) {
    const entry = new URL("busy-thread.ts", import.meta.url);
    const engine = createCredentialsEngine({ log, entry, threads: 1, ...options });
    undos.push(() => engine.close());
    return async (text: string) => {
      const order = {
        bytes: Buffer.from(text),
        mimeType: "image/png",
        definition: {},
        ingredients: [],
        signer,
      };
      return Buffer.from(await engine.sign(order)).toString();
    };
  }

  test("[OUT-61] refuse files above the queue limit, and sign those that wait", async () => {
    const sign = begin({ maxQueued: 2 });
    const waiting = ["a", "b"].map(sign);
    await expect(sign("c")).rejects.toThrow("2 files already wait for a thread.");
    expect(await Promise.all(waiting)).toHaveLength(2);
    expect(await sign("d")).toMatch(/^d by/);
  });

  test("[OUT-61] are replaced after a crash, which fails only the current file", async () => {
    const sign = begin();
    const results = await Promise.allSettled(["fine", "crash", "fine"].map(sign));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { name: "CredentialsUnavailable" } });
  });

  test("are ended when they take too long", async () => {
    const sign = begin({ maxMs: 3_000 });
    await expect(sign("stuck")).rejects.toMatchObject({ name: "CredentialsUnavailable" });
    // The time of a thread's first file includes its start, which a busy machine may delay.
    expect(await waitFor("a new thread to sign", () => sign("fine"))).toMatch(/^fine by/);
  });

  test("are replaced when the library holds too much memory", async () => {
    const sign = begin();
    const [before, after] = [await sign("heavy"), await sign("fine")];
    expect(before.split(" ").at(-1)).not.toBe(after.split(" ").at(-1));
  });

  test("stop with the engine, together with waiting files", async () => {
    const engine = createCredentialsEngine({
      log,
      entry: new URL("busy-thread.ts", import.meta.url),
      threads: 1,
    });
    const order = {
      bytes: Buffer.from("stuck"),
      mimeType: "image/png",
      definition: {},
      ingredients: [],
      signer,
    };
    const all = Promise.allSettled([engine.sign(order), engine.sign(order)]);
    await engine.close();
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("have a memory limit for the library", async () => {
    const path = fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"));
    const whole = readFileSync(path);
    const bounded = withMaxMemory(whole, 2 ** 30);
    await expect(WebAssembly.compile(bounded)).resolves.toBeDefined();
    expect(bounded.length - whole.length).toBeLessThan(8);
    await expect(
      WebAssembly.compile(withMaxMemory(whole, 65_536)),
      "less than it needs at first",
    ).rejects.toThrow(/memory/);
  });
});

describe("a file on which the library fails to read", () => {
  const verify = async (bytes: Buffer) => {
    const entry = new URL("busy-thread.ts", import.meta.url);
    const engine = createCredentialsEngine({ log, entry, threads: 1 });
    undos.push(() => engine.close());
    const report = await engine.read({ bytes, mimeType: "image/png", anchors: "" });
    const ownIssuer = { serialNumbers: new Set<string>(), isSelfMade: true };
    return verifyReport(report, { carriesStore: carriesStore(bytes), ownIssuer });
  };

  test("is invalid if it has credentials, because a retry would fail as well", async () => {
    expect(await verify(Buffer.from("trap jumdc2pa"))).toMatchObject({
      state: "invalid",
      problems: [{ code: "unreadable", message: expect.stringMatching(/damaged/) as string }],
    });
  });

  test("has no credentials if no trace of them is in it", async () => {
    expect(await verify(Buffer.from("trap"))).toMatchObject({ state: "none", problems: [] });
  });

  test("is a temporary failure of the service if the whole thread ends", async () => {
    await expect(verify(Buffer.from("crash"))).rejects.toMatchObject({ name: "CredentialsUnavailable" });
  });
});

test("the size of a signature is the reserved one for a certificate chain of any length", () => {
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  for (const bytes of [0, 23, 24, 255, 256, 700, 65_535, 65_536, 100_000]) {
    const signer = { chain: [new Uint8Array(bytes), new Uint8Array(600)], key };
    expect(coseSign1(signer, Buffer.from("a claim")).length).toBe(reservedSize(signer));
  }
});

describe("signing certificates", () => {
  let old: string;
  let current: string;
  const DAY = (days: number) => new Date(Date.now() + days * DAY_MS);
  beforeAll(async () => {
    [old, current] = [await makeAuthority(DAY(-300)), await makeAuthority(DAY(0))];
  });

  test("of development are created once, in a file that only its owner reads", async () => {
    const dataDir = newFolder();
    const [first, second] = [openCredentials(dataDir), openCredentials(dataDir)];
    const signers = await Promise.all([first.signer(new Date()), second.signer(new Date())]);
    expect(signers[0]?.chain).toEqual(signers[1]?.chain);
    expect(statSync(developmentFile(dataDir)).mode & 0o777).toBe(0o600);
    expect(signers[0]?.chain, "the root does not travel in files").toHaveLength(1);
  });

  test("of development are replaced thirty days before they end, and stay known with their authority", async () => {
    const dataDir = newFolder();
    writeFileSync(developmentFile(dataDir), await makeAuthority(DAY(-340)), { mode: 0o600 });
    const before = readFileSync(developmentFile(dataDir), "utf8");
    const processes = [openCredentials(dataDir), openCredentials(dataDir)];
    undos.push(...processes.map((one) => () => one.close()));
    const [reader] = processes;
    const [first, second] = await Promise.all(processes.map((one) => one.signer(new Date())));
    expect(first?.chain, "all processes sign with the same one").toEqual(second?.chain);
    expect(new X509Certificate(first?.chain[0] ?? "").validToDate.getTime()).toBeGreaterThan(
      DAY(360).getTime(),
    );
    const [old] = readSigners(before, before);
    for (const signer of [old, first]) {
      if (!reader || !signer) throw new Error("there is a signer");
      expect(await problemOf(reader, signer, await reader.anchors())).toBeUndefined();
      const own = await reader.ownIssuer();
      const { serialNumber } = new X509Certificate(signer.chain[0] ?? "");
      expect(own.serialNumbers).toContain(BigInt(`0x${serialNumber}`).toString());
    }
    const again = await reader?.signer(DAY(350));
    expect(again?.chain, "a process that runs for a year").not.toEqual(first?.chain);
    for (const name of readdirSync(dataDir))
      expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
  });

  test("that cannot be read at first are read again", async () => {
    const dataDir = newFolder();
    writeFileSync(developmentFile(dataDir), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    const credentials = openCredentials(dataDir);
    undos.push(() => credentials.close());
    await expect(credentials.anchors()).rejects.toThrow(/asn1/);
    await expect(credentials.signer(new Date())).rejects.toThrow(/asn1/);
    writeFileSync(developmentFile(dataDir), current);
    expect(await credentials.anchors()).toContain("BEGIN CERTIFICATE");
    expect((await credentials.signer(new Date())).chain).toHaveLength(1);
  });

  test("[OUT-62] overlap: the newest valid one signs, and the one before until then", () => {
    const both = readSigners(`${old}${current}`, `${old}${current}`);
    const [first] = certificatesIn(old);
    const [second] = certificatesIn(current);
    expect(signerAt(both, DAY(-100))?.certificate.raw).toEqual(first?.raw);
    expect(signerAt(both, DAY(1))?.certificate.raw).toEqual(second?.raw);
    expect(signerAt(both, DAY(100))?.certificate.raw).toEqual(second?.raw);
    expect(signerAt(both, DAY(400))).toBeUndefined();
  });

  test("that are damaged, or do not match their key, are refused without quoting the key", () => {
    const [, foreign = ""] = /(-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----)/.exec(old) ?? [];
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
      type: "pkcs8",
      format: "pem",
    });
    expect(() => readSigners("", foreign)).toThrow("there is no certificate in it");
    expect(() => readSigners(current, "")).toThrow("there is no private key (PKCS#8 PEM) in it");
    expect(() => readSigners(current, foreign)).toThrow("a private key belongs to none of the certificates");
    expect(() => readSigners(current, rsa.toString())).toThrow("a private key is not of ECDSA P-256");
  });

  const PRODUCTION = {
    NODE_ENV: "production",
    ATELIER_SECRET: "f0QmY2c5d3x8Lk1TzW7vGhJr9NbEuPaS4oXiKyCtM6g=",
    ATELIER_BASE_URL: "https://atelier.example",
  };
  const start = async (env: Record<string, string>, logged: string[] = []) => {
    const credentials = openCredentials(newFolder(), { ...PRODUCTION, ...env });
    undos.push(() => credentials.close());
    const own = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
    const config = loadConfig({ ...PRODUCTION, ...env });
    await prepareToSign({ credentials, config, clock: systemClock, log: own });
    return logged;
  };

  test("[OUT-62] are required by workers in production, with a message that names the setting", async () => {
    await expect(start({})).rejects.toThrow(
      /^ATELIER_CONTENT_CREDENTIALS_CERT and ATELIER_CONTENT_CREDENTIALS_KEY are not set.* or ATELIER_CONTENT_CREDENTIALS=off /,
    );
    const pair = { ATELIER_CONTENT_CREDENTIALS_CERT: current, ATELIER_CONTENT_CREDENTIALS_KEY: current };
    expect(await start(pair)).toEqual([]);
  });

  test("[OUT-62] are optional where signing is off, and every start in production warns", async () => {
    const [line = ""] = await start({ ATELIER_CONTENT_CREDENTIALS: "off" });
    expect(line).toContain("ATELIER_CONTENT_CREDENTIALS=off: files are stored without Content Credentials");
  });

  test("that readers would refuse are refused at the start", async () => {
    const folder = newFolder();
    // A web server's certificate lacks every purpose that C2PA accepts.
    const made = spawnSync(
      "openssl",
      [
        ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=web".split(
          " ",
        ),
        ..."-addext extendedKeyUsage=serverAuth -keyout key.pem -out cert.pem".split(" "),
      ],
      { cwd: folder },
    );
    expect(made.status).toBe(0);
    const env = {
      ATELIER_CONTENT_CREDENTIALS_CERT: readFileSync(join(folder, "cert.pem"), "utf8"),
      ATELIER_CONTENT_CREDENTIALS_KEY: readFileSync(join(folder, "key.pem"), "utf8"),
    };
    await expect(start(env)).rejects.toThrow(
      /^ATELIER_CONTENT_CREDENTIALS_CERT: readers refuse what it signs/,
    );
  });

  test("of deploy/secrets.sh are accepted", async () => {
    const folder = newFolder();
    const script = fileURLToPath(new URL("../../../../deploy/secrets.sh", import.meta.url));
    expect(spawnSync("sh", [script, folder]).status).toBe(0);
    const env = {
      ATELIER_CONTENT_CREDENTIALS_CERT_FILE: join(folder, "credentials.pem"),
      ATELIER_CONTENT_CREDENTIALS_KEY_FILE: join(folder, "credentials-key.pem"),
    };
    expect(await start(env)).toEqual([]);
    const key = createPrivateKey(readFileSync(env.ATELIER_CONTENT_CREDENTIALS_KEY_FILE));
    expect(
      new X509Certificate(readFileSync(env.ATELIER_CONTENT_CREDENTIALS_CERT_FILE)).checkPrivateKey(key),
    ).toBe(true);
  });

  describe("certificates in the checkup", () => {
    const find = async (env: Record<string, string>, now = new Date()) => {
      const { config } = checkConfig({ ...PRODUCTION, ATELIER_DATA_DIR: newFolder(), ...env });
      const found = await checkContentCredentials(config, log, now);
      return found.map(({ verdict, what, fix = "" }) => `${verdict}: ${what}; ${fix}`).join("\n");
    };
    const pairOf = (pem: string) => ({
      ATELIER_CONTENT_CREDENTIALS_CERT: pem,
      ATELIER_CONTENT_CREDENTIALS_KEY: pem,
    });

    test("warn when self-made, ending soon, or off", async () => {
      expect(await find({ NODE_ENV: "development" })).toContain("warn: the certificate is self-made");
      expect(await find(pairOf(current))).toContain(
        "warn: the certificate is self-made and on no trust list",
      );
      expect(await find(pairOf(current), DAY(350))).toMatch(
        /warn: ends in 14 days.*; add a new one, and keep the old certificate next to it \(docs\/operations\/content-credentials\.md\)/,
      );
      expect(await find(pairOf(current), DAY(400))).toContain("fail: no certificate is valid now");
      expect(await find({ ATELIER_CONTENT_CREDENTIALS: "off" })).toContain(
        "warn: ATELIER_CONTENT_CREDENTIALS is off",
      );
      expect(await find({})).toContain("unknown: ATELIER_CONTENT_CREDENTIALS_KEY is not set here");
    });

    test("pass on a trust list, and with a successor", async () => {
      const [, root] = certificatesIn(current);
      const listed = { ...pairOf(current), ATELIER_CONTENT_CREDENTIALS_TRUST: root?.toString() ?? "" };
      expect(await find(listed)).toContain("pass: ATELIER_CONTENT_CREDENTIALS_CERT is on the trust list");
      const next = await makeAuthority(DAY(300));
      expect(await find(pairOf(`${current}${next}`))).toContain("pass: the next certificate takes over by");
    });
  });
});
