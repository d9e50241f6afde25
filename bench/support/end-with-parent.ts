// Loaded before the demo's service: stops it cleanly when the demo is gone, even after kill -9.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
