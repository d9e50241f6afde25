// Fails when a text for people uses a word for which the field has another one.
import { fileURLToPath } from "node:url";
import { findMisuses, misusesOf, RULES } from "./words.ts";

/** Fewer means that the texts were not found. */
const LEAST_TEXTS = 10_000;

const { texts, misuses } = await findMisuses(fileURLToPath(new URL("..", import.meta.url)));
for (const { file, line, found, but } of misuses) console.error(`${file}:${line}: "${found}": write ${but}`);
const dead = RULES.filter(
  ({ planted, kinds: [kind] = ["prose"] }) =>
    misusesOf({ kind: kind ?? "prose", line: 1, text: planted }).length === 0,
);
for (const { planted } of dead) console.error(`the planted text "${planted}" was not reported`);
if (texts < LEAST_TEXTS) console.error(`Only ${texts} texts were found.`);
if (misuses.length > 0 || dead.length > 0 || texts < LEAST_TEXTS) process.exitCode = 1;
console.log(`${texts} texts`);
