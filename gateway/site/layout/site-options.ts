// The dependencies of the parts of the website.
import type { KeptAnswers } from "../../catalog/kept-answers.ts";
import type { GatewayOptions } from "../../gateway.ts";
import type { Document } from "../../openapi/document.ts";

export type SiteOptions = GatewayOptions & {
  /** Caches responses about the catalog for as long as they are valid. */
  answers: KeptAnswers;
  /** The OpenAPI document, available once all routes are registered. */
  apiDocument: () => Document;
};
