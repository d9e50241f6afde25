// What a request needs of its client before it can be answered (multi round-trip requests, since 2026-07-28): the handler throws what it asks
// for, and the client repeats the request with the responses. Nothing is kept here in between.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
} from "@modelcontextprotocol/server";
import { isObject, type JsonObject, valueAt } from "../../runtime/json-object.ts";

/** What a request says of its client. Clients of older revisions cannot be asked anything. */
export type ClientInput = {
  readonly capabilities: JsonObject;
  /** By the name under which each was asked for. They come from the client: the handler decides what they are worth. */
  readonly responses: Readonly<Record<string, JsonObject>>;
  /** The state that the round before gave; the handler verifies it. */
  readonly state: string | undefined;
};

export const NO_INPUT: ClientInput = { capabilities: {}, responses: {}, state: undefined };

/** Reads the params of a current request. What has not the form of a response counts as not sent. */
export function readClientInput(params: JsonObject | undefined): ClientInput {
  const capabilities = valueAt(params, "_meta", CLIENT_CAPABILITIES_META_KEY);
  const state = params?.["requestState"];
  return {
    capabilities: isObject(capabilities) ? capabilities : {},
    responses: readResponses(params?.["inputResponses"]),
    state: typeof state === "string" ? state : undefined,
  };
}

export function readResponses(sent: unknown): ClientInput["responses"] {
  if (!isObject(sent)) return {};
  return Object.fromEntries(
    Object.entries(sent).filter((entry): entry is [string, JsonObject] => isObject(entry[1])),
  );
}

/** Thrown by a tool or a prompt that cannot answer before its client has. */
export class InputNeeded extends Error {
  readonly asked: Pick<InputRequiredResult, "inputRequests" | "requestState">;

  constructor(asked: InputNeeded["asked"]) {
    super("the client has to respond first");
    this.name = "InputNeeded";
    this.asked = asked;
  }
}

/** The round that asks. Throws MissingRequiredClientCapabilityError where the client has not declared that it can be asked so. */
export function toInputRequired({ asked }: InputNeeded, { capabilities }: ClientInput): InputRequiredResult {
  for (const { method, params } of Object.values(asked.inputRequests ?? {}))
    requireCapability(capabilities, neededFor(method, params));
  return { resultType: "input_required", ...asked };
}

/** Throws MissingRequiredClientCapabilityError. */
export function requireCapability(declared: JsonObject, [name, part]: readonly [string, string?]): void {
  const has =
    part === "form" ? showsForms(declared) : isObject(valueAt(declared, name, ...(part ? [part] : [])));
  if (has) return;
  const requiredCapabilities = { [name]: part === undefined ? {} : { [part]: {} } } as ClientCapabilities;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}

/** Whether the client shows forms to its user. One that names no kind of question shows forms. */
export function showsForms(declared: JsonObject): boolean {
  const elicitation = declared["elicitation"];
  return isObject(elicitation) && (isObject(elicitation["form"]) || !Object.hasOwn(elicitation, "url"));
}

function neededFor(method: string, params: unknown): readonly [string, string?] {
  if (method === "roots/list") return ["roots"];
  if (method === "sampling/createMessage") return ["sampling"];
  return ["elicitation", valueAt(params, "mode") === "url" ? "url" : "form"];
}
