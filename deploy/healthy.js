// The image's health check: 0 while the process answers on its operations port. /readyz says whether it is ready, for whatever sends it work.
const port = process.env.ATELIER_OPS_PORT || 9464;
const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => ({ ok: false }));
process.exitCode = ok ? 0 : 1;
