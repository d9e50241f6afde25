// The gateway on its own: the REST API over HTTP, with core elsewhere.
import { runFace } from "../edge/role.ts";
import { gatewayRoutes } from "./app.ts";

await runFace("gateway", gatewayRoutes, "gateway is up");
