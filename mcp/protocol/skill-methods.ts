// skills/list and skills/get of one exchange, in both eras. The files themselves are resources.
import type { Server } from "@modelcontextprotocol/server";
import { SKILLS_GET_METHOD, SKILLS_LIST_METHOD } from "@modelcontextprotocol/server/ext/skills";
import { z } from "zod";
import { LIST_CACHE } from "./direct.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";
import { shown } from "./message.ts";
import { answerReading, noSuchPage } from "./reading-methods.ts";
import { invalidParams } from "./refuse.ts";
import { skillUri, toSkillEntry } from "./skill.ts";

export const SKILL_METHODS = [SKILLS_LIST_METHOD, SKILLS_GET_METHOD];

/** Adds the methods to the server of one exchange. */
export function serveSkills(server: Server, exchange: Exchange, edge: ServerEdge): void {
  const { skills } = exchange.toolset;
  const listParams = z.looseObject({ cursor: z.string().optional() });
  server.setRequestHandler(SKILLS_LIST_METHOD, { params: listParams }, ({ cursor }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async (context) => {
      // All skills are on one page.
      if (cursor !== undefined) throw noSuchPage();
      return { skills: await Promise.all(skills(context).map(toSkillEntry)), ...LIST_CACHE };
    }),
  );
  const getParams = z.looseObject({ uri: z.string() });
  server.setRequestHandler(SKILLS_GET_METHOD, { params: getParams }, ({ uri }, { mcpReq: { signal } }) =>
    answerReading(exchange, edge, signal, async (context) => {
      const skill = skills(context).find(({ name }) => skillUri(name) === uri);
      if (skill) return { skill: await toSkillEntry(skill), ...LIST_CACHE };
      throw invalidParams(
        {
          message: `There is no skill ${shown(uri)}.`,
          hint: "Use the uri of a skill that skills/list shows.",
          issues: [{ path: "params.uri", message: "must be the uri of a skill" }],
        },
        exchange,
        edge,
      );
    }),
  );
}
