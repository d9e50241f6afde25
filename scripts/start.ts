// `npm start`: the whole service in this one process, with an embedded database unless MONGODB_URI names another. This file only prepares what
// has to be so before the rest is loaded.
import { join } from "node:path";
import { keepHeapSmall } from "../runtime/ops/memory.ts";

// Everything in one process is for a small machine, where a third less memory counts more than some processor time. The nursery is bounded in
// package.json: V8 hears of that only at its start.
keepHeapSmall();
const [{ runProcess }, { startService }, { createTerminalLog, LOG_FILE }] = await Promise.all([
  import("../runtime/process/run.ts"),
  import("./start/service.ts"),
  import("../runtime/log/terminal-log.ts"),
]);
await runProcess("atelier", startService, ({ profile, dataDir }) =>
  profile === "development" ? createTerminalLog(join(dataDir, LOG_FILE), process.stdout) : undefined,
);
