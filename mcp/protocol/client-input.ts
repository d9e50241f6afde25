// Input that a request needs from its client before it can be answered (multi round-trip requests, since 2026-07-28). The handler throws
// its questions, and the client repeats the request with the responses. Nothing is stored here in between.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  MissingRequiredClientCapabilityError,
} from "@modelcontextprotocol/server";
import { isObject, type JsonObject, valueAt } from "../../runtime/json-object.ts";

/** A request's statements about its client. Clients of older revisions cannot be asked anything. */
export type ClientInput = {
  readonly capabilities: JsonObject;
  /** The responses, by the name of each question. They come from the client, so the handler decides whether to believe them. */
  readonly responses: Readonly<Record<string, JsonObject>>;
  /** The state from the previous round. The handler verifies it. */
  readonly state: string | undefined;
};

export const NO_INPUT: ClientInput = { capabilities: {}, responses: {}, state: undefined };

/** Reads the params of a current request. A response that is not well formed counts as not sent. */
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

/** Thrown by a tool or a prompt that cannot answer before its client has answered. */
export class InputNeeded extends Error {
  readonly asked: Pick<InputRequiredResult, "inputRequests" | "requestState">;

  constructor(asked: InputNeeded["asked"]) {
    super("the client has to respond first");
    this.name = "InputNeeded";
    this.asked = asked;
  }
}

/** Returns the round that asks. Throws MissingRequiredClientCapabilityError if the client has not declared that it can be asked. */
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

/** Returns whether the client shows forms to its user. A client that names no kind of question shows forms. */
export function showsForms(declared: JsonObject): boolean {
  const elicitation = declared["elicitation"];
  return isObject(elicitation) && (isObject(elicitation["form"]) || !Object.hasOwn(elicitation, "url"));
}

function neededFor(method: string, params: unknown): readonly [string, string?] {
  if (method === "roots/list") return ["roots"];
  if (method === "sampling/createMessage") return ["sampling"];
  return ["elicitation", valueAt(params, "mode") === "url" ? "url" : "form"];
}
