// Loaded before the service that the demo starts: ends it in order when the demo is gone, even when that was killed with -9.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
