// A core that answers GetJob with its name: `node served-core-process.ts NAME`. Its first line is its address.
import { startServed } from "../support/start-served.ts";

const [name = ""] = process.argv.slice(2);
const { address } = await startServed({ GetJob: async () => ({ job_id: name }) });
process.stdout.write(`${address}\n`);
