// Witnesses of the public log: what they are asked, what their answers are worth, and where operators see it. The doubles check no proofs;
// public-witnesses.test.ts asks public code.
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { operatorPanels } from "../../../../core/entry/operator-panels.ts";
import { askWitnesses } from "../../../../core/identity/log/ask-witnesses.ts";
import { listWitnesses, proveAccount, readCheckpoint } from "../../../../core/identity/log/read-log.ts";
import { witnessDocs } from "../../../../core/identity/log/store-witnesses.ts";
import { findLog } from "../../../../core/identity/log/store.ts";
import { writeLog } from "../../../../core/identity/log/write-log.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { checkWitnesses } from "../../../../core/operations/checkup/database-rules.ts";
import { logWitnesses } from "../../../../runtime/config/log-witnesses.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { giveCredits } from "../../../support/credits.ts";
import { type Asked, createCosigner, startWitness } from "../../../support/witness.ts";

let clock = createFakeClock("2026-01-31T09:30:00.000Z");
const now = () => clock.now();
let app: App;
let ada: Awaited<ReturnType<typeof startWitness>>;
let bob: Awaited<ReturnType<typeof startWitness>>;
beforeEach(async () => {
  clock = createFakeClock("2026-01-31T09:30:00.000Z");
  await testApp.empty();
  [ada, bob] = [await startWitness("ada.example", now), await startWitness("bob.example/w1", now)];
  app = { ...testApp.app, config: { ...testApp.app.config, logWitnesses: witnesses(ada, bob) } };
});
afterEach(() => [ada, bob].forEach((one) => one.close()));
const testApp = useTestApp({ clock: { now } });

const witnesses = (...settings: readonly { setting: string }[]) =>
  logWitnesses.parse(settings.map(({ setting }) => setting).join(", "));
const customer = async () => (await createCustomer(app)).accountId;
const grant = (accountId: string) => giveCredits(app, accountId, 1);
async function write() {
  clock.advance(10_000);
  await writeLog(app);
}
/** The names of those who cosigned the checkpoint. */
const signersOf = (note: string) => [...note.matchAll(/^— (\S+) /gm)].slice(1).map(([, name]) => name);
const signers = async () => signersOf(await readCheckpoint(app));
const oldSizes = ({ asked }: { asked: readonly Asked[] }) => asked.map(({ old }) => old);
const states = async () => {
  const panel = operatorPanels(app).find(({ title }) => title === "Witnesses of the public log");
  const { rows = [] } = (await panel?.read()) ?? {};
  return rows.map(([name, entries, , , state]) => [
    name,
    entries,
    typeof state === "object" && "text" in state ? state.text : "",
  ]);
};

test("witnesses cosign each checkpoint after it is published, and are asked no more than once for it", async () => {
  const owner = await customer();
  await askWitnesses(app);
  expect(ada.asked).toEqual([]);
  await write();
  expect(await signers()).toEqual([]);
  expect(await states()).toEqual([
    ["ada.example", "–", "not asked yet"],
    ["bob.example/w1", "–", "not asked yet"],
  ]);
  await Promise.all([askWitnesses(app), askWitnesses(app)]);
  await askWitnesses(app);
  expect(await signers()).toEqual(["ada.example", "bob.example/w1"]);
  expect(signersOf((await proveAccount(app, owner)).proof?.checkpoint ?? "")).toEqual(await signers());
  for (let round = 0; round < 3; round++) await Promise.all([grant(owner), customer()]);
  await write();
  expect(await signers()).toEqual([]);
  await askWitnesses(app);
  expect([oldSizes(ada), oldSizes(bob)]).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(ada.asked[1]?.proof).toHaveLength(3);
  expect(await states()).toEqual([
    ["ada.example", "5", "cosigns"],
    ["bob.example/w1", "5", "cosigns"],
  ]);
});

test("a worker that is killed before it keeps a cosignature is told by the witness which size it has seen", async () => {
  await customer();
  await write();
  await askWitnesses(app);
  await witnessDocs(app.mongo.db).updateMany({}, { $unset: { cosigned: true } });
  expect(await signers()).toEqual([]);
  await askWitnesses(app);
  expect(await signers()).toEqual(["ada.example", "bob.example/w1"]);
  expect(oldSizes(ada)).toEqual([0, 0, 1]);
});

test("a restored database asks witnesses to cosign its other log from the beginning", async () => {
  await customer();
  await write();
  await askWitnesses(app);
  await testApp.app.mongo.db.collection("logs").updateMany({}, { $set: { made_in: "elsewhere" } });
  await write();
  await askWitnesses(app);
  const origins = ada.asked.map(({ note }) => note.split("\n")[0]);
  expect([oldSizes(ada), new Set(origins).size]).toEqual([[0, 0], 2]);
  expect(await signers()).toEqual(["ada.example", "bob.example/w1"]);
});

const status =
  (code: number, body = "") =>
  (_asked: Asked, response: ServerResponse) =>
    response.writeHead(code).end(body);
const HOUR_MS = 3_600_000;
/** Bob's answers for a log of 3 entries, and what operators read. */
const FAULTS: readonly (readonly [words: string, answer: Parameters<typeof bob.answerWith>[0]])[] = [
  ["does not know this log or its key (HTTP 403)", status(403)],
  ["does not know this log or its key (HTTP 404)", status(404)],
  ["refuses the proof that 0 entries grew to 3 (HTTP 422)", status(422)],
  ["responds with HTTP 500", status(500)],
  ["responds with HTTP 302", (_, response) => response.writeHead(302, { location: "/elsewhere" }).end()],
  ["responds with HTTP 409 and names no size", status(409, "many")],
  ["has seen 7 entries, and the log has 3: the log was cut off, or has a second writer", status(409, "7\n")],
  ["contradicts itself: it names 0 entries", status(409, "0\n")],
  [
    "contradicts itself: it names 1 entries",
    ({ old }, response) => status(409, old === 1 ? "1" : "1\n")({ old, proof: [], note: "" }, response),
  ],
  ["has no cosignature of its key", status(200)],
  ["has no cosignature of its key", ({ note }, response) => response.end(ada.cosign(note, now()))],
  [
    "signs with another key",
    ({ note }, response) => response.end(createCosigner("bob.example/w1").cosign(note, now())),
  ],
  [
    "is not valid for this checkpoint",
    ({ note }, response) => response.end(bob.cosign(note.replace("\n3\n", "\n4\n"), now())),
  ],
  [
    "is not valid for this checkpoint",
    ({ note }, response) => response.end(`${bob.cosign(note, now()).slice(0, -30)}\n`),
  ],
  [
    "more than an hour off",
    ({ note }, response) => response.end(bob.cosign(note, new Date(now().getTime() - 2 * HOUR_MS))),
  ],
  ["more than 16 KiB", ({ note }, response) => response.end(bob.cosign(note, now()).repeat(200))],
  ["was not reached: timed out", () => {}],
  ["was not reached: timed out", (_, response) => response.write("—")],
  ["was not reached: no connection", (_, response) => response.destroy()],
];

test("a witness that refuses, lies, or is slow or away changes nothing but its own state", async () => {
  for (let count = 0; count < 3; count++) await customer();
  await write();
  bob.answerWith(status(500));
  await askWitnesses(app);
  const note = await readCheckpoint(app);
  const log = await findLog(app.mongo.db);
  expect(signersOf(note)).toEqual(["ada.example"]);
  const wrong: unknown[] = [];
  for (const [words, answer] of FAULTS) {
    await witnessDocs(app.mongo.db).deleteMany({ _id: /bob/ });
    bob.answerWith(answer);
    // Ada has cosigned, so only Bob is asked.
    await askWitnesses(app, undefined, { answerMs: words.includes("timed out") ? 200 : 30_000 });
    const [, { doc } = {}] = await listWitnesses(app);
    if (!doc?.fault?.words.includes(words) || doc.cosigned || (await readCheckpoint(app)) !== note)
      wrong.push([words, doc]);
  }
  expect(wrong).toEqual([]);
  expect(await findLog(app.mongo.db)).toEqual(log);
  expect(ada.asked).toHaveLength(1);
  bob.close();
  await witnessDocs(app.mongo.db).deleteMany({ _id: /bob/ });
  await askWitnesses(app);
  expect((await states())[1]?.[2]).toMatch(/^it was not reached: no connection$/);
  expect(checkWitnesses(await listWitnesses(app)).map(({ verdict, what }) => `${verdict}: ${what}`)).toEqual([
    "pass: it cosigned 3 entries last",
    "warn: it has cosigned nothing yet: it was not reached: no connection",
  ]);
});

test("a witness that fails is asked again after as long as it has been failing, within 10 s and 5 minutes", async () => {
  await customer();
  await write();
  bob.answerWith(status(500));
  /** How often it is asked in this time. */
  const askedIn = async (seconds: number) => {
    const before = bob.asked.length;
    for (let second = 0; second < seconds; second += 5) {
      await askWitnesses(app);
      clock.advance(5_000);
    }
    return bob.asked.length - before;
  };
  expect(await askedIn(10)).toBe(1);
  expect(await askedIn(30)).toBe(2);
  clock.advance(HOUR_MS);
  expect(await askedIn(300)).toBe(1);
  bob.answerWith();
  await askWitnesses(app);
  expect((await states())[1]).toEqual(["bob.example/w1", "1", "cosigns"]);
});

test("the setting of witnesses says which entry is wrong", () => {
  const { verifierKey } = createCosigner("w.example");
  const url = "https://w.example";
  const problem = (text: string) => logWitnesses.safeParse(text).error?.issues[0]?.message;
  // The key may have a plus too.
  const [, name, id, key = ""] = /^(.*?)\+(.*?)\+(.*)$/.exec(verifierKey) ?? [];
  const asNote = Buffer.from(key, "base64");
  asNote[0] = 1;
  const CASES = [
    ["", undefined],
    [`${verifierKey} ${url}/`, undefined],
    [`${verifierKey} ${url},\n${createCosigner("x.example").verifierKey} http://127.0.0.1:80/w`, undefined],
    [verifierKey, "witness 1 is not a verifier key, a space and a URL"],
    [`${verifierKey} ftp://w.example`, "witness 1 is not a verifier key, a space and a URL"],
    [`${verifierKey} ${url}, w.example ${url}`, "witness 2 is no verifier key: name+id+key"],
    [`${name}+${id}+${asNote.toString("base64")} ${url}`, "witness 1 has a key of the type 1"],
    [`other+${id}+${key} ${url}`, "witness 1 has an id that is not that of its name and key"],
    [`${verifierKey} ${url}, ${verifierKey} ${url}`, "it names a witness twice"],
  ] as const;
  for (const [text, words] of CASES)
    if (words === undefined) expect(problem(text), text).toBeUndefined();
    else expect(problem(text), text).toContain(words);
  expect(logWitnesses.parse(`${verifierKey} ${url}/`)[0]?.url).toBe(`${url}/add-checkpoint`);
});
