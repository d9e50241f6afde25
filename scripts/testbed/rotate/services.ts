// The rotation of what core and its callers know each other by: the keys of services, and core's certificate.
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { connect } from "node:tls";
import { type Cluster, type Member, runSecretsScript } from "../cluster.ts";
import { audit } from "../judge.ts";
import { restartInTurn, type Say } from "../restart.ts";
import { expectSame, secretOf } from "./secret-file.ts";

const SERVICES = ["gateway", "mcp", "cli"];

type TrustedKeys = { keys: object[] };

export async function rotateServiceKeys(cluster: Cluster, say: Say): Promise<void> {
  const setPath = secretOf(cluster, "trusted-keys.json");
  const { keys: old } = JSON.parse(readFileSync(setPath, "utf8")) as TrustedKeys;
  const made = SERVICES.map((name) => ({ name, ...generateKeyPairSync("ed25519") }));
  const added = made.map(({ name, publicKey }) => ({ ...publicKey.export({ format: "jwk" }), name }));
  const write = (keys: object[]) => writeFileSync(setPath, JSON.stringify({ keys }));
  const oldCliKey = secretOf(cluster, "cli-key.old.pem");
  copyFileSync(secretOf(cluster, "cli-key.pem"), oldCliKey);

  write([...old, ...added]);
  await restartInTurn(cluster, ["core"], say);
  say("1. core accepts the new key of each service as well as the old one");

  for (const { name, privateKey } of made)
    writeFileSync(secretOf(cluster, `${name}-key.pem`), privateKey.export({ type: "pkcs8", format: "pem" }));
  await restartInTurn(cluster, ["gateway", "mcp"], say);
  expectSame(await audit(cluster, oldCliKey), undefined, "the old key of the CLI");
  say("2. gateways, tool servers and CLI sign with their new keys; the CLI's old one works");

  write(added);
  await restartInTurn(cluster, ["core"], say);
  const refusal = (await audit(cluster, oldCliKey)) ?? "nothing";
  expectSame(
    /does not accept this service key/.test(refusal),
    true,
    `that the CLI's old key is refused: ${refusal}`,
  );
  say("3. core accepts the new keys alone; the CLI's old one is refused");
}

/** Another certificate of the same authority: callers need nothing new. */
export async function rotateCertificate(cluster: Cluster, say: Say): Promise<void> {
  const path = secretOf(cluster, "core.pem");
  const before = readFileSync(path, "utf8");
  for (const name of ["core.pem", "core-key.pem"]) rmSync(secretOf(cluster, name));
  runSecretsScript(dirname(path));
  const made = new X509Certificate(readFileSync(path));
  const authority = new X509Certificate(readFileSync(secretOf(cluster, "ca.pem")));
  expectSame(made.verify(authority.publicKey), true, "that the same authority signed it");
  expectSame(readFileSync(path, "utf8") === before, false, "that it is another one");
  say("1. core's authority has signed another certificate");

  await restartInTurn(cluster, ["core"], say);
  for (const core of cluster.of("core"))
    expectSame(await shownBy(core), made.fingerprint256, `the certificate of ${core.part.name}`);
  say("2. each core shows the new certificate");
}

async function shownBy({ part }: Member): Promise<string> {
  const [host = "", port = ""] = part.address.split(":");
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ALPNProtocols: ["h2"] });
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}
