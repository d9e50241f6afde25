// What each verifier must say of an owner's files and of the log over HTTP, as a service makes them and with each part changed.
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { CompactSign } from "jose";
import {
  appendEntries,
  hashesOf,
  inclusionPath,
  leafHash,
  slicesOf,
  tileKey,
  treeHash,
} from "../../core/identity/log/merkle-rules.ts";
import { checkpointText, logEntryOf, toBundle } from "../../core/identity/log/rules.ts";
import {
  type Leaf,
  leafNode,
  pathInPart,
  rootOfPart,
  statementEntry,
  statementOf,
  sumOf,
} from "../../core/identity/log/sum-rules.ts";
import { noteOf } from "../../core/kernel/signing/notes.ts";
import { hashLedgerEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import { RECEIPT_TYPE } from "../../proto/resources/receipt.ts";
import { toSigningKey } from "../../runtime/keys/signing-keys.ts";
import { createCosigner } from "../support/witness.ts";

const [JOB, ISSUER, ACCOUNT, ORIGIN] = ["job_1", "https://api.example", "acc_1", "api.example/log/1"];
const OUTPUT = "made for a test";
const MOVES = [
  ["grant", 100, 0],
  ["reserve", 0, 10],
  ["debit", -10, -10],
] as const;

function ledger(): LedgerEntryResource[] {
  const entries: LedgerEntryResource[] = [];
  for (const [index, [kind, amount, hold]] of MOVES.entries()) {
    const before = entries.at(-1);
    const content = {
      entry_id: `led_${index}`,
      seq: index + 1,
      kind,
      amount,
      hold,
      balance_after: (before?.balance_after ?? 0) + amount,
      held_after: (before?.held_after ?? 0) + hold,
      job_id: kind === "grant" ? null : JOB,
      source: "api",
      key_id: null,
      memo: null,
      created_at: "2026-01-31T09:30:00.000Z",
      prev_hash: before?.hash ?? "0".repeat(64),
      version: 2 as const,
    };
    entries.push({ ...content, hash: hashLedgerEntry(content) });
  }
  return entries;
}

/** A published log: its newest checkpoint, its totals, and the bytes of each path below it. */
type Published = {
  readonly note: string;
  readonly stated?: readonly object[];
  readonly read: (path: string) => Uint8Array | undefined;
};

const PATH = /^tile\/(\d+|entries)\/(\d{3})(?:\.p\/(\d+))?$/;
const [INDEX, STATED, OLDER, SIZE] = [270, 271, 300, 600];
const STATED_AT = "2026-01-31T12:00:00.000Z";

/** A total of five balances and the proof that one of them is in it, in a log of this one entry. */
function stateTotal(own: Omit<Leaf, "account_id">, sign: (root: Uint8Array) => string, add = 0) {
  const salt = Buffer.alloc(32, 5);
  const leaves = [200, 0, 300, own.balance, 500].map((balance, at) => ({
    account_id: `acc_${at}`,
    seq: 1,
    balance,
  }));
  leaves[3] = { account_id: ACCOUNT, ...own };
  const nodes = leaves.map((leaf) => leafNode(leaf, salt));
  const root = rootOfPart(nodes);
  const total = { at: new Date(STATED_AT), accounts: 5, total: sumOf(root) + add, root: root.subarray(8) };
  const statement = statementOf(ORIGIN, total);
  return {
    account_id: ACCOUNT,
    ...own,
    salt: salt.toString("hex"),
    index: 3,
    path: pathInPart(nodes, 3).map((one) => Buffer.from(one).toString("hex")),
    statement,
    log_index: 0,
    log_path: [] as string[],
    checkpoint: sign(leafHash(statementEntry(statement))),
  };
}

async function makeFixture() {
  const key = toSigningKey(generateKeyPairSync("ed25519").privateKey);
  const entries = ledger();
  const { seq, hash } = entries[2] ?? { seq: 0, hash: "" };
  const salt = randomBytes(32);
  const checkpoint = (origin: string, of: number, root: Uint8Array) =>
    noteOf(key, origin, checkpointText(origin, of, root));
  const signOne = (root: Uint8Array) => checkpoint(ORIGIN, 1, root);
  const stated = stateTotal({ seq, balance: 90 }, signOne);
  const logged: Uint8Array[] = Array.from({ length: SIZE }, () => randomBytes(32));
  logged[INDEX] = logEntryOf({ accountId: ACCOUNT, seq, hash }, salt);
  logged[STATED] = statementEntry(stated.statement);
  const publish = (of: readonly Uint8Array[]): Published => {
    const stored = appendEntries(new Map(), 0, of);
    return {
      note: checkpoint(ORIGIN, of.length, treeHash(stored, 0, of.length)),
      read: (path) => {
        const [, level = "", index, width = "256"] = PATH.exec(path) ?? [];
        const at = level === "entries" ? 0 : Number(level);
        const tile = stored.get(tileKey(at, Number(index)))?.subarray(0, Number(width) * 32);
        if (tile?.length !== Number(width) * 32) return undefined;
        return level === "entries" ? toBundle(slicesOf(tile)) : hashesOf(at, tile);
      },
    };
  };
  const tiles = appendEntries(new Map(), 0, logged);
  const root = treeHash(tiles, 0, SIZE);
  const log_proof = {
    origin: ORIGIN,
    account_id: ACCOUNT,
    seq,
    hash,
    salt: salt.toString("hex"),
    index: INDEX,
    path: inclusionPath(tiles, INDEX, SIZE).map((one) => Buffer.from(one).toString("hex")),
    checkpoint: checkpoint(ORIGIN, SIZE, root),
  };
  const solvency_proof = {
    ...stated,
    log_index: STATED,
    log_path: inclusionPath(tiles, STATED, SIZE).map((one) => Buffer.from(one).toString("hex")),
    checkpoint: log_proof.checkpoint,
  };
  const payload = {
    iss: ISSUER,
    job_id: JOB,
    state: "completed",
    credits: { reserved: 10, captured: 10, refunded: 0 },
    entries: entries
      .slice(1)
      .map(({ entry_id, seq: number, hash: of }) => ({ entry_id, seq: number, hash: of })),
    outputs: [{ output_id: "out_1", sha256: createHash("sha256").update(OUTPUT).digest("hex") }],
  };
  const sign = async (change: object) => {
    const said = { ...payload, credits: { ...payload.credits, ...change } };
    return new CompactSign(Buffer.from(JSON.stringify(said)))
      .setProtectedHeader({ alg: "EdDSA", typ: RECEIPT_TYPE, kid: key.kid })
      .sign(key.privateKey);
  };
  const files = {
    keys: { keys: [{ kid: key.kid, x: key.x }] } as object,
    export: { ledger: entries.toReversed(), log_proof, solvency_proof } as object,
    checkpoint: log_proof.checkpoint,
    receipt: await sign({}),
    file: OUTPUT,
  };
  const good = publish(logged);
  const older = checkpoint(ORIGIN, OLDER, treeHash(tiles, 0, OLDER));
  const changed = (path: string, change: (bytes: Uint8Array) => Uint8Array): Published => ({
    note: good.note,
    read: (asked) => {
      const bytes = good.read(asked);
      return bytes && asked.startsWith(path) ? change(bytes) : bytes;
    },
  });
  const flip = (bytes: Uint8Array) => bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte));
  const logs = {
    good,
    later: publish([...logged, ...logged.slice(0, 40)]),
    forked: publish([...logged.slice(0, 100), ...logged]),
    replayed: { ...good, note: older },
    rewound: publish(logged.slice(0, OLDER)),
    changed: changed("tile/0/001", flip),
    swapped: { ...good, read: (path: string) => good.read(path.replace("0/001", "0/000")) },
    truncated: changed("tile/0/002", (bytes) => bytes.subarray(32)),
    unsigned: { ...good, note: good.note.replace(`\n${SIZE}\n`, `\n${SIZE + 1}\n`) },
    entry: changed("tile/entries/001", flip),
    silent: { ...good, stated: [] },
    twice: {
      ...good,
      stated: [
        { index: STATED - 1, text: stated.statement.replace("12:00", "11:00") },
        { index: STATED, text: stated.statement },
      ],
    },
  };
  return {
    files,
    entries,
    log_proof,
    solvency_proof,
    statedAs: (own: Omit<Leaf, "account_id">, add?: number) => stateTotal(own, signOne, add),
    logs,
    sign,
    older,
    fork: checkpoint(ORIGIN, SIZE, randomBytes(32)),
    other: checkpoint("api.example/log/2", SIZE, root),
  };
}

/** The whole chain with another memo in its first entry. */
function rewritten(entries: readonly LedgerEntryResource[]): LedgerEntryResource[] {
  let prev_hash = "0".repeat(64);
  return entries
    .map((entry, at) => {
      const content = { ...entry, memo: at === 0 ? "rewritten" : entry.memo, prev_hash };
      prev_hash = hashLedgerEntry(content);
      return { ...content, hash: prev_hash };
    })
    .toReversed();
}

export type VerifyCase = {
  readonly arguments: readonly string[];
  /** What the refusal says, a regular expression; null where nothing is wrong. */
  readonly wrong: string | null;
  /** Lines that must be there too. */
  readonly says: readonly string[];
};

/** Writes the files of all cases, and serves their logs. */
export async function openVerifyCases(folder: string) {
  const made = await makeFixture();
  const { files, entries, log_proof, solvency_proof, statedAs, logs, older, fork, other, sign } = made;
  const server = createServer((request, response) => {
    const [, log = "", path = ""] = /^\/(\w+)\/(.*)$/.exec(request.url ?? "") ?? [];
    const { note, stated, read }: Published = logs[log as keyof typeof logs];
    const statements = stated ?? [{ index: STATED, text: solvency_proof.statement }];
    const body =
      path === "checkpoint" ? note : path === "solvency" ? JSON.stringify({ statements }) : read(path);
    response.writeHead(body ? 200 : 404).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const urlOf = (log: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${log}`;
  const cases: VerifyCase[] = [];
  type Change = { [name in keyof typeof files]?: (typeof files)[name] };
  const add = (wrong: string | null, change: Change, says: readonly string[] = [], extra: string[] = []) => {
    const own = join(folder, String(cases.length));
    mkdirSync(own);
    const paths = Object.entries({ ...files, ...change }).flatMap(([name, content]) => {
      writeFileSync(join(own, name), typeof content === "string" ? content : JSON.stringify(content));
      return [`--${name}`, join(own, name)];
    });
    cases.push({ arguments: ["--issuer", ISSUER, ...paths, ...extra], wrong, says });
  };
  const log = (name: keyof typeof logs) => ["--log", urlOf(name)];
  add(null, {}, [
    "3 ledger entries follow each other and add up to 90 credits",
    `ledger entry 3 of acc_1 is entry ${INDEX} of the ${SIZE} in the log api.example/log/1`,
    "checkpoint and the proof are of one history",
    `the 90 credits after entry 3 of acc_1 are in the 1090 of 5 accounts on ${STATED_AT}`,
    "completed, 10 credits captured, 0 refunded",
    "the ledger charged job_1 as its receipt says",
    "file is an output of job_1",
    "not proven  that the service signed no other history",
  ]);
  add(null, { checkpoint: older }, [`not proven  that the logs of ${OLDER} and ${SIZE} entries are one`]);
  add(null, { checkpoint: other }, ["checkpoint is of the same log: it is of api.example/log/2"]);
  add(null, { export: { ledger: entries } }, [
    "not proven  that others see the same ledger",
    "not proven  that the balance is in the total of all",
  ]);
  add(
    null,
    { checkpoint: older },
    [
      `one history, which grew from ${OLDER} to ${SIZE} entries`,
      `one history, which grew from ${SIZE} to ${SIZE + 40} entries`,
    ],
    log("later"),
  );
  const proofWith = (change: object) => ({
    export: { ...files.export, log_proof: { ...log_proof, ...change } },
  });
  const totalOf = (proof: object) => ({ export: { ...files.export, solvency_proof: proof } });
  const totalWith = (change: object) => totalOf({ ...solvency_proof, ...change });
  const { statement } = solvency_proof;
  const [sibling = "", ...siblings] = solvency_proof.path;
  const ledgerOf = (all: readonly object[]) => ({ export: { ledger: all, log_proof } });
  const receiptWith = (change: object) => {
    const [head = "", ...rest] = files.receipt.split(".");
    const said = { ...(JSON.parse(Buffer.from(head, "base64url").toString()) as object), ...change };
    return { receipt: [Buffer.from(JSON.stringify(said)).toString("base64url"), ...rest].join(".") };
  };
  const [first, ...later] = entries;
  const stranger = Buffer.alloc(32, 9).toString("base64url");
  const hex = "ab".repeat(32);
  const lines = files.checkpoint.split("\n");
  const [jwk] = (files.keys as { keys: object[] }).keys;
  const AT = new Date("2026-01-31T09:30:05.900Z");
  const witness = createCosigner("witness.example/w1");
  const namesake = createCosigner("witness.example/w1");
  const cosigned = (note: string) => note + witness.cosign(note, AT);
  const asked = ["--witness", witness.verifierKey];
  const SAW = "by 2026-01-31 09:30:05 UTC witness.example/w1 had seen no other history of the";
  add(
    null,
    {
      checkpoint: cosigned(older) + createCosigner("x.example").cosign(older, AT),
      export: { ...files.export, log_proof: { ...log_proof, checkpoint: cosigned(log_proof.checkpoint) } },
    },
    [`${SAW} ${OLDER} entries of`, `${SAW} ${SIZE} entries of the proof (by its cosignature)`],
    asked,
  );
  add(null, {}, ["not proven  that witness.example/w1 saw the proof: it has no cosignature of it"], asked);
  add(null, { checkpoint: cosigned(files.checkpoint) });
  const lies: readonly (readonly [wrong: string, change: Change, extra?: string[]])[] = [
    ["entry 1 was changed", ledgerOf([{ ...first, amount: 1 }, ...later])],
    ["entry 2 was changed, or one is missing", ledgerOf(entries.filter(({ seq }) => seq !== 2))],
    ["is not the one that is entry", ledgerOf(rewritten(entries))],
    ["does not lead to the root", proofWith({ salt: hex })],
    ["does not lead to the root", proofWith({ index: 2 })],
    ["too short|does not lead to the root", proofWith({ path: log_proof.path.slice(1) })],
    ["too long|does not lead to the root", proofWith({ path: [...log_proof.path, hex, hex] })],
    ["outside of the", proofWith({ index: SIZE })],
    ["and the proof of elsewhere", proofWith({ origin: "elsewhere" })],
    ["not in the total of 1090", totalWith({ balance: 89 })],
    ["not in the total of 1090", totalWith({ salt: hex })],
    [
      "no number of credits|are too large",
      totalWith({ path: ["f".repeat(16) + sibling.slice(16), ...siblings] }),
    ],
    ["too long|not in the total", totalWith({ path: [...solvency_proof.path, sibling] })],
    ["too short", totalWith({ path: siblings })],
    ["leaf 5 is outside of the 5 accounts", totalWith({ index: 5 })],
    ["does not lead to the root", totalWith({ statement: statement.replace("1090", "1091") })],
    ["has another form", totalWith({ statement: `${statement}more` })],
    ["and the statement of elsewhere", totalWith({ statement: statement.replace(ORIGIN, "elsewhere") })],
    ["not in the total of 1080", totalOf(statedAs({ seq: 3, balance: 90 }, -10))],
    ["after entry 3 is not the 80 credits", totalOf(statedAs({ seq: 3, balance: 80 }))],
    ["the balance before entry 2, which is older", totalOf(statedAs({ seq: 1, balance: 100 }))],
    ["is not proven to have this ledger", ledgerOf(entries), log("good")],
    ["two totals within a day", {}, log("twice")],
    ["not a signed note", { checkpoint: lines.slice(0, 3).join("\n") }],
    [
      "signature of the checkpoint is not valid",
      { checkpoint: files.checkpoint.replace(lines[2] ?? "", `${"A".repeat(43)}=`) },
    ],
    ["None of the 1 keys", { keys: { keys: [{ ...jwk, x: stranger }] } }],
    ["another root for 600 entries .* signed a fork", { checkpoint: fork }],
    ["a receipt has 3", { receipt: "none" }],
    ["algorithm is none", receiptWith({ alg: "none" })],
    ["its type is JWT", receiptWith({ typ: "JWT" })],
    ["critical headers", receiptWith({ crit: ["b64"] })],
    ["its key other is none of the 1", receiptWith({ kid: "other" })],
    ["the receipt was changed", receiptWith({ more: true })],
    ["the ledger captured 10 credits, and it says 9", { receipt: await sign({ captured: 9 }) }],
    ["the ledger has no such entry 2", { export: { ledger: rewritten(entries) } }],
    ["is an output of no valid receipt", { file: "another file" }],
    ["are not the first of the 700 .* signed a fork", {}, log("forked")],
    ["grew from 300 to 600 entries.*404", {}, log("rewound")],
    ["it has 300 entries, and the proof has 600: an old checkpoint", {}, log("replayed")],
    ["signature of the checkpoint is not valid", {}, log("unsigned")],
    ["tiles do not show .*(inconsistent tile|do not lead)", { checkpoint: older }, log("changed")],
    ["tiles do not show .*(inconsistent tile|do not lead)", { checkpoint: older }, log("swapped")],
    ["tiles do not show .*has \\d+ bytes for 88 hashes", { checkpoint: older }, log("truncated")],
    [
      "cosignature of witness.example/w1 is not valid for this checkpoint",
      { checkpoint: files.checkpoint + witness.cosign(older, AT) },
      asked,
    ],
    [
      "cosignature of witness.example/w1 is by another key than the one given",
      { checkpoint: cosigned(files.checkpoint) },
      ["--witness", namesake.verifierKey],
    ],
  ];
  for (const [wrong, change, extra] of lies) add(wrong, change, [], extra);
  return { cases, urlOf, close: () => server.close() };
}
