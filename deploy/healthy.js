// The image's health check: 0 while the process answers on its operations port. /readyz says whether it is ready, for whatever sends it work.
import { get } from "node:http";

const { ATELIER_OPS_HOST: host, ATELIER_OPS_PORT: port } = process.env;
get({ host: host || "127.0.0.1", port: port || 9464, path: "/healthz" }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
).on("error", () => process.exit(1));
