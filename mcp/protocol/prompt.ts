// The definition of a prompt: a request that a user picks from a menu and fills in, written out for the model. All arguments are text, as
// the protocol defines them.
import type { ContentBlock, Prompt as PromptListing } from "@modelcontextprotocol/server";
import { AppError, type Issue } from "../../proto/codes.ts";
import type { ClientInput } from "./client-input.ts";
import type { ReadingContext } from "./read-context.ts";

/** Longer texts are not answers to the question of an argument. */
const MAX_ARGUMENT_CHARACTERS = 2000;

export type PromptContext = ReadingContext & { readonly input: ClientInput };

type PromptArgument = {
  readonly description: string;
  readonly required?: true;
  /** The rule for the value, and the error text for others. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
  /** Returns values that begin with what was typed. */
  readonly suggest?: (begun: string, context: ReadingContext) => Promise<readonly string[]>;
};

type Arguments<Name extends string> = Readonly<Partial<Record<Name, string>>>;

type PromptDefinition<Name extends string> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: Readonly<Record<Name, PromptArgument>>;
  /** Writes the request, one message for each part. Throws AppErrors and InputNeeded. */
  readonly write: (given: Arguments<Name>, context: PromptContext) => Promise<readonly ContentBlock[]>;
};

export type Prompt = {
  readonly listing: PromptListing;
  /** Throws AppError invalid_request for arguments that are missing, unknown or of the wrong form. */
  readonly write: (
    given: Readonly<Record<string, string>>,
    context: PromptContext,
  ) => Promise<readonly ContentBlock[]>;
  /** Returns what completes an argument, or undefined if the prompt has no argument of that name. */
  readonly suggest: (
    argument: string,
    begun: string,
    context: ReadingContext,
  ) => Promise<readonly string[]> | undefined;
};

export function definePrompt<Name extends string>({
  name,
  title,
  description,
  arguments: known,
  write,
}: PromptDefinition<Name>): Prompt {
  const wanted: [string, PromptArgument][] = Object.entries(known);
  return {
    listing: {
      name,
      title,
      description,
      arguments: wanted.map(([argument, { description: what, required = false }]) => ({
        name: argument,
        description: what,
        required,
      })),
    },
    write: async (given, context) => {
      const issues = issuesOf(given, wanted);
      if (issues.length > 0) {
        throw new AppError("invalid_request", {
          message: `The arguments do not fit the prompt ${name}.`,
          hint: "Correct these and ask for the prompt again; prompts/list describes its arguments.",
          issues,
        });
      }
      // Clients also send the form fields that were left empty.
      const filled = Object.entries(given).flatMap(([one, value]) =>
        value.trim() === "" ? [] : [[one, value.trim()] as const],
      );
      return write(Object.fromEntries(filled) as Arguments<Name>, context);
    },
    suggest: (argument, begun, context) => {
      const found = wanted.find(([one]) => one === argument)?.[1];
      return found && (found.suggest?.(begun, context) ?? Promise.resolve([]));
    },
  };
}

function issuesOf(given: Readonly<Record<string, string>>, wanted: [string, PromptArgument][]): Issue[] {
  const unknown = Object.keys(given)
    .filter((name) => !wanted.some(([known]) => known === name))
    .map((name) => ({
      path: name.slice(0, 100).toWellFormed(),
      message: "is not an argument of this prompt",
    }));
  const wrong = wanted.flatMap(([path, { required, form }]) => {
    const value = given[path]?.trim() ?? "";
    if (value === "") return required ? [{ path, message: "is required" }] : [];
    if (value.length > MAX_ARGUMENT_CHARACTERS)
      return [{ path, message: `must have at most ${MAX_ARGUMENT_CHARACTERS} characters` }];
    return form && !form.pattern.test(value) ? [{ path, message: form.words }] : [];
  });
  return [...unknown, ...wrong];
}
