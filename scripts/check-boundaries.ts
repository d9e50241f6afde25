// Fails when a file imports what it may not, and when a rule would not notice.
import { fileURLToPath } from "node:url";
import { findBluntRules, findViolations } from "./boundaries.ts";

/** Fewer means that the parser is missing and nothing was looked at. */
const LEAST_MODULES = 50;

const { modules, violations } = await findViolations(fileURLToPath(new URL("..", import.meta.url)));
for (const { rule, from, to } of violations) console.error(`${rule}: ${from} -> ${to}`);
if (modules < LEAST_MODULES) console.error(`Only ${modules} modules were found; the parser does not work.`);
const blunt = await findBluntRules();
for (const rule of blunt) console.error(`${rule}: did not report the fault planted for it`);
if (violations.length > 0 || modules < LEAST_MODULES || blunt.length > 0) process.exitCode = 1;
console.log(`${modules} modules`);
