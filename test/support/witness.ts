// A witness whose answers the test decides: c2sp.org/tlog-witness, without the check of proofs.
import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { COSIGNATURE_KEY, keyIdOf, verifierKeyOf } from "../../runtime/config/log-witnesses.ts";

/** The key of a witness: its verifier key, and the line that it adds to a checkpoint. */
export function createCosigner(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  return {
    verifierKey: verifierKeyOf(name, COSIGNATURE_KEY, key),
    cosign: (note: string, at: Date): string => {
      const seconds = Math.floor(at.getTime() / 1000);
      const time = Buffer.alloc(8);
      time.writeBigUInt64BE(BigInt(seconds));
      const text = note.slice(0, note.indexOf("\n\n") + 1);
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), privateKey);
      const line = Buffer.concat([keyIdOf(name, COSIGNATURE_KEY, key), time, signature]);
      return `— ${name} ${line.toString("base64")}\n`;
    },
  };
}

export type Asked = { readonly old: number; readonly proof: readonly string[]; readonly note: string };
type Answer = (asked: Asked, response: ServerResponse) => unknown;

/** It cosigns, unless `answerWith` is given another answer. */
export async function startWitness(name: string, now: () => Date) {
  const cosigner = createCosigner(name);
  const asked: Asked[] = [];
  const seen = new Map<string, { readonly size: number; readonly root: string | undefined }>();
  const honest: Answer = ({ old, note }, response) => {
    const [origin = "", size, root] = note.split("\n");
    const known = seen.get(origin) ?? { size: 0, root: undefined };
    if (old !== known.size) return response.writeHead(409).end(`${known.size}\n`);
    if (Number(size) === known.size && root !== known.root) return response.writeHead(422).end();
    seen.set(origin, { size: Number(size), root });
    return response.end(cosigner.cosign(note, now()));
  };
  let answer = honest;
  const server = createServer(async (request, response) => {
    const body = (await Array.fromAsync(request, String)).join("");
    const [head = "", ...rest] = body.split("\n\n");
    const [old = "", ...proof] = head.split("\n");
    const one = { old: Number(old.replace("old ", "")), proof, note: rest.join("\n\n") };
    asked.push(one);
    answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...cosigner,
    asked,
    /** As the setting names it. */
    setting: `${cosigner.verifierKey} ${url}`,
    answerWith: (other?: Answer) => (answer = other ?? honest),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
