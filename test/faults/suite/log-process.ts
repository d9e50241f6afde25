// A worker that writes the public log once and asks its witnesses, and kills itself with -9 after some number of commands to the database,
// for a test of kills. The number comes from its parent, which is told when the worker is up. Ends with 0 where it needs fewer.
import { askWitnesses } from "../../../core/identity/log/ask-witnesses.ts";
import { writeLog } from "../../../core/identity/log/write-log.ts";
import { openMortal } from "./open-process.ts";

const { counted } = await openMortal();
await writeLog(counted);
await askWitnesses(counted);
process.exit(0);
