// Fails when something inside a transaction asks for the time or a new id, and when that would not be noticed.
import { fileURLToPath } from "node:url";
import { findBlindSpots, findFaults } from "./transactions.ts";

/** Fewer means that nothing was looked at. */
const LEAST_FILES = 50;

const { files, faults } = await findFaults(fileURLToPath(new URL("..", import.meta.url)));
for (const { file, line, what } of faults)
  console.error(`${file}:${line}: ${what} inside a transaction: take it before, and hand it in`);
if (files < LEAST_FILES) console.error(`Only ${files} files were found.`);
const blind = await findBlindSpots();
for (const what of blind) console.error(`a planted function that ${what} was not reported`);
if (faults.length > 0 || files < LEAST_FILES || blind.length > 0) process.exitCode = 1;
console.log(`${files} files`);
