// Generates reference pages from the code: commands, tools and job events.
import type { Argument, Command } from "commander";
import { createProgram } from "../cli/program.ts";
import { CATALOG_TOOLSET } from "../mcp/catalog/tools.ts";
import { GENERATION_TOOLSET } from "../mcp/generation/tools.ts";
import { MEMBER_TOOLSET_WITH_API } from "../mcp/member/tools.ts";
import { ACCOUNT_EVENTS } from "../proto/resources/callback.ts";
import { JOB_EVENTS, RETRY_REASONS } from "../proto/resources/job.ts";

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  default?: unknown;
};

const MADE = "This page is generated from the code by `npm run gen`.";

/** Path of each page -> its Markdown. */
export function referencePages(): [path: string, text: string][] {
  return [
    ["docs/reference/commands.md", commandsPage()],
    ["docs/reference/tool-arguments.md", toolsPage()],
    ["docs/reference/events.md", eventsPage()],
  ];
}

function commandsPage(): string {
  const { program } = createProgram({
    out: () => {},
    err: () => {},
    write: async () => {},
    userName: () => "",
    readConfig: () => {
      throw new Error("The reference reads no settings.");
    },
  });
  return `# Commands of the CLI

${MADE} Run each as \`npm run atelier -- COMMAND\`. [Options](#options) explains the options of all commands,
and [Commands](../operations/commands.md) the tasks.

Every command has these options: ${program.options.map((option) => `\`${option.flags}\` (${option.description})`).join("; ")}.

${program.commands.map(commandSection).join("\n\n")}

## Options

${optionLines(program.commands).join("\n")}
`;
}

/** Each option once, also if many commands have it in the same words. */
function optionLines(nouns: readonly Command[]): string[] {
  const options = nouns.flatMap((noun) => leavesOf(noun, "").flatMap(({ command }) => command.options));
  return [...new Set(options.map(({ flags, description }) => `- \`${flags}\`: ${description}`))].toSorted();
}

function commandSection(command: Command): string {
  const lines = leavesOf(command, "").map(({ path, command: leaf }) => {
    const options = leaf.options.map(
      ({ long, flags, mandatory }) => `\`${long ?? flags}\`${mandatory ? " (required)" : ""}`,
    );
    const code = [path, ...leaf.registeredArguments.map(argumentText)].join(" ");
    return item(code, leaf.description(), options.length === 0 ? "" : `Options: ${options.join(", ")}`);
  });
  return `## ${command.name()}\n\n${lines.join("\n")}`;
}

type Leaf = { path: string; command: Command };

function leavesOf(command: Command, before: string): Leaf[] {
  const path = `${before}${command.name()}`;
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((one) => leavesOf(one, `${path} `));
}

function argumentText(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

/** An item of a list: the code, and sentences about it. */
function item(code: string, ...sentences: readonly string[]): string {
  const text = sentences
    .filter((one) => one !== "")
    .map(sentence)
    .join(" ");
  return `- \`${code}\`${text === "" ? "" : `: ${text.replaceAll("\n", " ")}`}`;
}

function toolsPage(): string {
  const endpoints = [
    ["Generation endpoint: /api/mcp", GENERATION_TOOLSET],
    ["Member endpoint: /api/member/mcp", MEMBER_TOOLSET_WITH_API],
    ["Catalog endpoint: /mcp", CATALOG_TOOLSET],
  ] as const;
  const shown = new Set<string>();
  const generate = GENERATION_TOOLSET.tools.find(({ listing }) => listing.name === "connect_generate");
  const argumentsOfGenerate = argumentList((generate?.listing.inputSchema ?? {}) as Schema).split("\n");
  const sections = endpoints.map(([title, { tools }]) => {
    const listed = tools.map(({ listing }) => `\`${listing.name}\``).join(", ");
    const parts = tools.flatMap(({ listing: { name, description, inputSchema } }) => {
      const schema = inputSchema as Schema;
      const lines = argumentList(schema).split("\n");
      const isPart = lines.length < argumentsOfGenerate.length && lines.length > 3;
      const list =
        isPart && lines.every((line) => argumentsOfGenerate.includes(line))
          ? `The arguments of \`connect_generate\`, without ${argumentsOfGenerate
              .filter((line) => !lines.includes(line))
              .map((line) => /`\w+`/.exec(line)?.[0])
              .join(", ")}.`
          : lines.join("\n");
      const section = `### ${name}\n\n${firstSentence(description ?? "")}\n\n${list}`;
      if (shown.has(section)) return [];
      shown.add(section);
      return [section];
    });
    return [`## ${title}\n\nTools: ${listed}.`, ...parts].join("\n\n");
  });
  return `# Arguments of the tools

${MADE} A tool with the same arguments at several endpoints is shown once. [Tools for agents](../guide/mcp.md) explains how to call one.

${sections.join("\n\n")}
`;
}

function argumentList({ properties = {}, required = [] }: Schema, indent = ""): string {
  const lines = Object.entries(properties).flatMap(([name, schema]) => {
    const notes = [
      ...(required.includes(name) ? ["required"] : []),
      typeOf(schema),
      ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ];
    const meaning = schema.description === undefined ? "" : `: ${schema.description}`;
    const line = `${indent}- \`${name}\` (${notes.join("; ")})${meaning}`;
    return schema.items?.properties ? [line, argumentList(schema.items, `${indent}  `)] : [line];
  });
  return lines.length === 0 ? "No arguments." : lines.join("\n");
}

function firstSentence(text: string): string {
  return /^.+?[.](?= |$)/s.exec(text)?.[0] ?? text;
}

function typeOf({ type, enum: values, items, anyOf }: Schema): string {
  if (values) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (items) return `array of ${typeOf(items)}`;
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  return [type ?? "any"].flat().join(" or ");
}

function eventsPage(): string {
  return `# Events

${MADE}

## Events of a job

\`GET /api/jobs/{job_id}\` returns them in \`events\`, and \`GET /api/jobs/{job_id}/events\` streams them. Each has \`seq\`, \`type\`, the \`state\` after it,
\`at\` and \`detail\`; an event with a ledger entry names it in \`ledger_entry_id\`.

${Object.entries(JOB_EVENTS)
  .map(([type, { meaning, detail }]) => item(type, meaning, detail === "" ? "" : `Detail: ${detail}`))
  .join("\n")}

Values of \`detail.reason\` of \`retrying\`:

${Object.entries(RETRY_REASONS)
  .map(([reason, meaning]) => item(reason, meaning))
  .join("\n")}

## Events of webhooks

[Webhooks](../guide/webhooks.md) carry one of ${ACCOUNT_EVENTS.map((event) => `\`${event}\``).join(", ")} in \`event\`; to a \`callback_url\`, only those of jobs and workflows. A test event is \`test\`.
`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, ".");
}
