// What a resource is: a document that a person or a model reads at an address of its own, or at one that has a variable. Like a tool it
// says nothing about transport or errors.
import type { Resource as ResourceListing, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { ReadingContext } from "./read-context.ts";

/** Text, or bytes as base64. */
export type ResourceBody = { readonly text: string } | { readonly blob: string };

/** One document of a template: the value of its variable, and how it introduces itself. */
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
  /** What an extension of the protocol says of it: stands as _meta in the lists and at the content. */
  readonly meta?: Record<string, unknown>;
  /** The documents of a template that resources/list names. Without it they are found by other means, such as a tool that searches. */
  readonly list?: (context: ReadingContext) => Promise<readonly ResourceEntry[]>;
  /** Values of the variable that go on from what was typed. Without it those of the list that have what was typed in them. */
  readonly suggest?: (begun: string, context: ReadingContext) => Promise<readonly string[]>;
  /** `value` is that of the variable, decoded; empty where there is none. Undefined: there is no such document. Throws AppErrors. */
  readonly read: (context: ReadingContext, value: string) => Promise<ResourceBody | undefined>;
};

export type Resource = Omit<ResourceDefinition, "list" | "suggest"> & {
  /** Name of the variable; undefined for a whole address. */
  readonly variable: string | undefined;
  /** As resources/templates/list has it; undefined for a whole address. */
  readonly template: ResourceTemplateType | undefined;
  /** What resources/list has of it. */
  readonly entries: (context: ReadingContext) => Promise<readonly ResourceListing[]>;
  /** The value of the variable in an address; undefined for an address of something else. */
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

/** One step of a path; undefined for none, for several, and for what is not encoded right. */
function decoded(step: string): string | undefined {
  if (step === "" || step.includes("/")) return undefined;
  try {
    return decodeURIComponent(step);
  } catch {
    return undefined;
  }
}
