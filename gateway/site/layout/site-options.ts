// What the parts of the website are given.
import type { KeptAnswers } from "../../catalog/kept-answers.ts";
import type { GatewayOptions } from "../../gateway.ts";
import type { Document } from "../../openapi/document.ts";

export type SiteOptions = GatewayOptions & {
  /** Keeps answers about the catalog for as long as they hold. */
  answers: KeptAnswers;
  /** The OpenAPI document, once all routes are there. */
  apiDocument: () => Document;
};
