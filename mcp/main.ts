// The tool endpoints on their own: MCP over HTTP, with core elsewhere.
import { runFace } from "../edge/role.ts";
import { mcpRoutes } from "./app.ts";

await runFace("mcp", mcpRoutes, "tool endpoints are up");
