// `npm start`: the whole service in one process, with an embedded database unless MONGODB_URI names another. This file only sets what must
// precede the loading of other code.
import { join } from "node:path";
import { limitHeapGrowth } from "../runtime/ops/memory.ts";

// A single process is for a small machine, where less memory is worth more than some processor time. package.json limits V8's young
// generation, which only works at its start.
limitHeapGrowth(33);
const [{ runProcess }, { startService }, { createTerminalLog, LOG_FILE }] = await Promise.all([
  import("../runtime/process/run.ts"),
  import("./start/service.ts"),
  import("../runtime/log/terminal-log.ts"),
]);
await runProcess("atelier", startService, ({ profile, dataDir }) =>
  profile === "development" ? createTerminalLog(join(dataDir, LOG_FILE), process.stdout) : undefined,
);
