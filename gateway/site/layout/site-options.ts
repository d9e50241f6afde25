// What the parts of the website are given.
import type { KeptAnswers } from "../../catalog/kept-answers.ts";
import type { GatewayOptions } from "../../gateway.ts";

/** `answers` keeps answers about the catalog for as long as they hold. */
export type SiteOptions = GatewayOptions & { answers: KeptAnswers };
