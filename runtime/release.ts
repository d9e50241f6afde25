// The release of this process: the version in package.json, for the operator's port, metrics and the command line.
import { readFileSync } from "node:fs";
import { z } from "zod";

const FILE = new URL("../package.json", import.meta.url);

export const RELEASE = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(FILE, "utf8"))).version;
