// The definition of a resource: a document that a user or a model reads at a fixed URI, or at a URI with a variable. Like a tool, it says
// nothing about transport or errors.
import type { Resource as ResourceListing, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { ReadingContext } from "./read-context.ts";

/** Text, or bytes as base64. */
export type ResourceBody = { readonly text: string } | { readonly blob: string };

/** One document of a template: the value of its variable, and its name and description. */
export type ResourceEntry = {
  readonly value: string;
  readonly title: string;
  readonly description: string;
};

export type ResourceDefinition = {
  /** A whole address, or one with a variable, such as atelier://docs/{chapter}. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** The `_meta` that an extension of the protocol adds to the lists and to the content. */
  readonly meta?: Record<string, unknown>;
  /** The documents of a template that resources/list names. Without it they are found by other means, such as a search tool. */
  readonly list?: (context: ReadingContext) => Promise<readonly ResourceEntry[]>;
  /** Returns values of the variable that begin with what was typed. Without it, the values of the list that contain what was typed. */
  readonly suggest?: (begun: string, context: ReadingContext) => Promise<readonly string[]>;
  /**
   * Reads a document. `value` is the decoded value of the variable, or empty if there is none. Returns undefined if there is no such
   * document. Throws AppErrors.
   */
  readonly read: (context: ReadingContext, value: string) => Promise<ResourceBody | undefined>;
};

export type Resource = Omit<ResourceDefinition, "list" | "suggest"> & {
  /** The name of the variable; undefined for a whole address. */
  readonly variable: string | undefined;
  /** The entry of resources/templates/list; undefined for a whole address. */
  readonly template: ResourceTemplateType | undefined;
  /** The entries of resources/list. */
  readonly entries: (context: ReadingContext) => Promise<readonly ResourceListing[]>;
  /** Returns the value of the variable in an address; undefined for another address. */
  readonly valueIn: (uri: string) => string | undefined;
  readonly suggest: (begun: string, context: ReadingContext) => Promise<readonly string[]>;
};

export function defineResource({ list, suggest, ...definition }: ResourceDefinition): Resource {
  const { uri, name, title, description, mimeType, meta } = definition;
  const [before = "", variable, after = ""] = uri.split(/\{(\w+)\}/);
  const shared = { mimeType, ...(meta && { _meta: meta }) };
  const introduction = { name, title, description, ...shared };
  return {
    ...definition,
    variable,
    template: variable === undefined ? undefined : { uriTemplate: uri, ...introduction },
    entries: async (context) => {
      if (variable === undefined) return [{ uri, ...introduction }];
      const entries = (await list?.(context)) ?? [];
      return entries.map(({ value, ...own }) => ({
        uri: before + encodeURIComponent(value) + after,
        name: value,
        ...own,
        ...shared,
      }));
    },
    valueIn: (address) => {
      if (variable === undefined) return address === uri ? "" : undefined;
      if (!address.startsWith(before) || !address.endsWith(after)) return undefined;
      return decoded(address.slice(before.length, address.length - after.length));
    },
    suggest:
      suggest ??
      (async (begun, context) => {
        const values = ((await list?.(context)) ?? []).map(({ value }) => value);
        return values.filter((value) => value.toLowerCase().includes(begun.toLowerCase()));
      }),
  };
}

/** Decodes one segment of a path. Returns undefined for none, for several, and for a wrong encoding. */
function decoded(step: string): string | undefined {
  if (step === "" || step.includes("/")) return undefined;
  try {
    return decodeURIComponent(step);
  } catch {
    return undefined;
  }
}
