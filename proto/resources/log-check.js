// Checks the proof that a ledger is in the public log (RFC 6962), and the signature of the log's checkpoint (c2sp.org/signed-note). For
// browsers.

/** @typedef {{ origin: string, account_id: string, seq: number, hash: string, salt: string, index: number, path: string[], checkpoint: string }} LogProof */
/** @typedef {{ origin: string, size: number, root: string }} Checkpoint A size and the root of the log, in base64. */

const ID_BYTES = 4;

/**
 * Returns the checkpoint that the proof leads to. Throws an error with the reason if it leads to none, or if none of the keys signed it. The
 * browser must know Ed25519.
 * @param {LogProof} proof
 * @param {readonly { x: string }[]} keys Public keys of the service, in base64url.
 * @returns {Promise<Checkpoint>}
 */
export async function checkLogProof(proof, keys) {
  const { origin, account_id, seq, hash, salt, index, path, checkpoint } = proof;
  const end = checkpoint.indexOf("\n\n") + 1;
  const text = checkpoint.slice(0, end);
  const [named = "", count = "", root = ""] = text.split("\n");
  const size = Number(count);
  if (named !== origin || !Number.isSafeInteger(size)) throw new Error("The checkpoint is of another log.");
  const leaf = await sha256(
    bytesOf(salt),
    utf8(account_id),
    bytesOf(seq.toString(16).padStart(16, "0")),
    bytesOf(hash),
  );
  const found = await rootOf(await sha256(Uint8Array.of(0), leaf), { index, size, path: path.map(bytesOf) });
  if (found === undefined || base64(found) !== root)
    throw new Error("The path does not lead to the root of the checkpoint.");
  if (!(await isSigned({ name: origin, text, lines: checkpoint.slice(end + 1), keys })))
    throw new Error("The checkpoint has no valid signature of this service.");
  return { origin, size, root };
}

/**
 * Whether two checkpoints cannot be of one log that only grew, as far as their sizes show it.
 * @param {Checkpoint} before
 * @param {Checkpoint} now
 */
export function isContradicted(before, now) {
  if (before.origin !== now.origin) return false;
  return now.size < before.size || (now.size === before.size && now.root !== before.root);
}

/**
 * The root above a leaf: RFC 9162, section 2.1.3.2. Undefined where the path is too long or too short.
 * @param {Uint8Array<ArrayBuffer>} leaf
 * @param {{ index: number, size: number, path: readonly Uint8Array<ArrayBuffer>[] }} place
 */
async function rootOf(leaf, { index, size, path }) {
  if (index >= size) return undefined;
  let [at, last, hash] = [index, size - 1, leaf];
  for (const other of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      hash = await sha256(Uint8Array.of(1), other, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else hash = await sha256(Uint8Array.of(1), hash, other);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : undefined;
}

/**
 * @param {{ name: string, text: string, lines: string, keys: readonly { x: string }[] }} note
 * @returns {Promise<boolean>}
 */
async function isSigned({ name, text, lines, keys }) {
  for (const line of lines.split("\n")) {
    const [dash, signer, encoded = ""] = line.split(" ");
    if (dash !== "—" || signer !== name) continue;
    const signature = fromBase64(encoded);
    for (const { x } of keys) {
      const key = fromBase64(x.replaceAll("-", "+").replaceAll("_", "/"));
      const id = (await sha256(utf8(`${name}\n`), Uint8Array.of(1), key)).subarray(0, ID_BYTES);
      if (id.some((byte, i) => byte !== signature[i])) continue;
      const publicKey = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
      if (await crypto.subtle.verify("Ed25519", publicKey, signature.subarray(ID_BYTES), utf8(text)))
        return true;
    }
  }
  return false;
}

/** @param {readonly Uint8Array<ArrayBuffer>[]} parts */
async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob([...parts]).arrayBuffer()));
}

/** @param {string} text */
function utf8(text) {
  return new TextEncoder().encode(text);
}

/** @param {string} hex */
function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {string} text */
function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}
