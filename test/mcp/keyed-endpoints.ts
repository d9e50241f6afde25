// The two endpoints with keys, as rows of `describe.each`: their differences, and how each is started.
import { TOOL_SERVERS } from "../../edge/tool-servers.ts";
import { GENERATION_TOOLSET } from "../../mcp/generation/tools.ts";
import { MEMBER_TOOLSET_WITH_API } from "../../mcp/member/tools.ts";
import type { ErrorCode } from "../../proto/codes.ts";
import { startEndpoint, type TestEndpoint } from "./endpoint-server.ts";
import { startMemberEndpoint } from "./member/member-endpoint.ts";

export type Words = readonly [code: ErrorCode, message: string, hint: string];

const suspended: Words = [
  "account_suspended",
  "The account is suspended.",
  "Write to support to learn why and how to restore it.",
];

/** `refused` are the endpoint's 403 texts for a valid key. */
export const KEYED_ENDPOINTS = [
  {
    name: "generation",
    path: "/api/mcp",
    start: (env: Record<string, string> = {}): Promise<TestEndpoint> => startEndpoint(env),
    info: TOOL_SERVERS.generation.info,
    toolset: GENERATION_TOOLSET,
    kind: "gen",
    otherKind: "mem",
    authenticate: "accounts.Authenticate",
    asked: { required_scope: "write" },
    source: "mcp",
    rate: "api",
    perMinute: 600,
    rateSetting: "ATELIER_RATE_API",
    noKey: [
      "missing_key",
      "No API key was sent.",
      "Add the header Authorization: Bearer <key> to this server's entry in the assistant's settings; a key with the write scope can be created in account settings.",
    ] as Words,
    badKey: [
      "invalid_key",
      "The API key is not valid here.",
      "Check that the whole key was copied into the assistant's settings, that it is a generation key and that it is still live; create a new one in account settings if in doubt.",
    ] as Words,
    refused: [
      [
        "insufficient_scope",
        "This key may read but not write, and the tools need a key with the write scope.",
        "Create a key with the write scope in account settings and put it into the assistant's settings in place of this one.",
      ],
      [
        "plan_excludes_api",
        "The account's plan does not include the generation API.",
        "Move to a plan that includes the API; the key works again as soon as the plan has changed.",
      ],
      suspended,
    ] as [Words, ...Words[]],
  },
  {
    name: "member",
    path: "/api/member/mcp",
    start: (env: Record<string, string> = {}): Promise<TestEndpoint> => startMemberEndpoint(env),
    info: TOOL_SERVERS.member.info,
    toolset: MEMBER_TOOLSET_WITH_API,
    kind: "mem",
    otherKind: "gen",
    authenticate: "memberships.Authenticate",
    asked: {},
    source: "member",
    rate: "member",
    perMinute: 120,
    rateSetting: "ATELIER_RATE_MEMBER",
    noKey: [
      "missing_key",
      "No member key was sent.",
      "Add the header Authorization: Bearer <member key> to this server's entry in the assistant's settings; members get their key from support.",
    ] as Words,
    badKey: [
      "invalid_key",
      "The member key is not valid here.",
      "Check that the whole key was copied into the assistant's settings and that it is a member key, which begins with atl_mem_; support replaces one that was revoked or lost.",
    ] as Words,
    refused: [
      [
        "membership_inactive",
        "The account has no active membership that includes these tools.",
        "Join, renew or upgrade on the website's membership page; the same key works again as soon as the membership includes them. Licences of purchased products stay valid.",
      ],
      suspended,
    ] as [Words, ...Words[]],
  },
] as const;
