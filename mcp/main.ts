// The tool endpoints as a process of their own: MCP over HTTP, with core in another process.
import { runEdge } from "../edge/role.ts";
import { mcpRoutes } from "./app.ts";

await runEdge("mcp", mcpRoutes, "tool endpoints are up");
