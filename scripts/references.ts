// The reference pages that are made from the code: commands, tools and events of jobs.
import { join } from "node:path";
import type { Command, Option } from "commander";
import protobuf from "protobufjs";
import { createProgram } from "../cli/program.ts";
import { CATALOG_TOOLSET } from "../mcp/catalog/tools.ts";
import { GENERATION_TOOLSET } from "../mcp/generation/tools.ts";
import { MEMBER_TOOLSET_WITH_API } from "../mcp/member/tools.ts";
import { PROTO_DIR } from "../proto/load.ts";
import { CALLBACK_EVENTS, WORKFLOW_EVENTS } from "../proto/resources/callback.ts";
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
    ["docs/reference/rpcs.md", rpcsPage()],
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

${MADE} Run each as \`npm run atelier -- COMMAND\`. [Commands](../operations/commands.md) explains the tasks.

These options come before the command: ${program.options.map((option) => `\`${option.flags}\` (${option.description})`).join("; ")}.

${program.commands.map(commandSection).join("\n\n")}
`;
}

function commandSection(command: Command): string {
  return `## ${command.name()}

${sentence(command.description())}

${table(["command", "task", "options"], leavesOf(command, "").map(commandRow))}`;
}

type Leaf = { path: string; command: Command };

function leavesOf(command: Command, before: string): Leaf[] {
  const path = `${before}${command.name()}`;
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((one) => leavesOf(one, `${path} `));
}

function commandRow({ path, command }: Leaf): string[] {
  const args = command.registeredArguments.map((one) =>
    one.required ? ` <${one.name()}>` : ` [${one.name()}]`,
  );
  return [`\`${path}${args.join("")}\``, command.description(), command.options.map(optionText).join("; ")];
}

function optionText({ flags, description, mandatory }: Option): string {
  return `\`${flags}\`${mandatory ? " (required)" : ""} ${description}`;
}

function toolsPage(): string {
  const endpoints = [
    ["Generation endpoint: /api/mcp", GENERATION_TOOLSET],
    ["Member endpoint: /api/member/mcp", MEMBER_TOOLSET_WITH_API],
    ["Catalog endpoint: /mcp", CATALOG_TOOLSET],
  ] as const;
  const shown = new Set<string>();
  const sections = endpoints.map(([title, { tools }]) => {
    const listed = tools.map(({ listing }) => `\`${listing.name}\``).join(", ");
    const parts = tools.flatMap(({ listing: { name, description, inputSchema } }) => {
      const schema = inputSchema as Schema;
      const section = `### ${name}\n\n${description}\n\n${argumentsTable(schema)}`;
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

function argumentsTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    `\`${name}\`${required.includes(name) ? " (required)" : ""}`,
    typeOf(schema),
    [
      schema.description ?? "",
      schema.default === undefined ? "" : `Default: \`${JSON.stringify(schema.default)}\`.`,
    ]
      .join(" ")
      .trim(),
  ]);
  return rows.length === 0 ? "No arguments." : table(["argument", "type", "meaning"], rows);
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

${table(
  ["type", "meaning", "detail"],
  Object.entries(JOB_EVENTS).map(([type, { meaning, detail }]) => [`\`${type}\``, meaning, detail]),
)}

Values of \`detail.reason\` of \`retrying\`:

${table(
  ["reason", "meaning"],
  Object.entries(RETRY_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
)}

## Events of webhooks

[Webhooks](../guide/webhooks.md) carry one of ${[...CALLBACK_EVENTS, ...WORKFLOW_EVENTS].map((event) => `\`${event}\``).join(", ")} in \`event\`. A test event is \`test\`.
`;
}

function rpcsPage(): string {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => join(PROTO_DIR, target);
  root.loadSync("atelier/v1/atelier.proto", { keepCase: true, alternateCommentMode: true });
  const services = root.lookup("atelier.v1");
  if (!(services instanceof protobuf.Namespace)) throw new Error("The protos have no package atelier.v1.");
  const sections = services.nestedArray
    .filter((one) => one instanceof protobuf.Service)
    .map((service) => `## \`${service.name}\`\n\n${serviceTable(service)}`);
  return `# Remote procedure calls of core

${MADE} Messages are in \`proto/atelier/v1\`; a core with reflection also lists them. [gRPC](grpc.md) has the rules for callers.

${sections.join("\n\n")}
`;
}

function serviceTable({ methodsArray }: protobuf.Service): string {
  const stream = (isStream: boolean | undefined, type: string) => `\`${isStream ? "stream " : ""}${type}\``;
  return table(
    ["method", "request", "response", "task"],
    methodsArray.map((method) => [
      `\`${method.name}\``,
      stream(method.requestStream, method.requestType),
      stream(method.responseStream, method.responseType),
      method.comment ?? "",
    ]),
  );
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, ".");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
