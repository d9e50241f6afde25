// /account and the pages below it.
import type { FastifyInstance } from "fastify";
import type { GatewayOptions } from "../../gateway.ts";
import { callbackPages } from "./callbacks.ts";
import { dataPages } from "./data.ts";
import { keyPages } from "./keys.ts";
import { membershipPage } from "./membership.ts";
import { overviewPage } from "./overview.ts";
import { planPage } from "./plan.ts";
import { sessionPages } from "./sessions.ts";

export function accountPages(app: FastifyInstance, options: GatewayOptions): void {
  overviewPage(app, options);
  keyPages(app, options);
  callbackPages(app, options);
  planPage(app, options);
  membershipPage(app, options);
  sessionPages(app, options);
  dataPages(app, options);
}
