// The gateway on its own: the REST API over HTTP, with core elsewhere.
import { runEdge } from "../edge/role.ts";
import { gatewayRoutes } from "./app.ts";

await runEdge("gateway", gatewayRoutes, "gateway is up");
