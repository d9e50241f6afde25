// The tool endpoints on their own: MCP over HTTP, with core elsewhere.
import { runEdge } from "../edge/role.ts";
import { mcpRoutes } from "./app.ts";

await runEdge("mcp", mcpRoutes, "tool endpoints are up");
