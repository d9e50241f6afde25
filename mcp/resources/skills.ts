// The skills of an endpoint as documents: sections of the docs' chapter about skills, whose steps the prompts quote too.
import type { ReadingContext } from "../protocol/read-context.ts";
import { defineResource } from "../protocol/resource.ts";
import { type Skill, skillFile, skillUri } from "../protocol/skill.ts";

const CHAPTER = "skills";

/** The tool that a skill requires. */
const SKILLS = {
  "make-a-picture": "connect_generate",
  "animate-a-picture": "connect_generate",
  "narrate-a-gallery": "connect_generate",
  "find-and-recommend-products": "search_catalog",
} as const;
export type SkillName = keyof typeof SKILLS;

/** A step that stands for the steps of another section. */
const TO_SECTION = /\[([^\]]+)\]\(#([\w-]+)\)\./;
/** How a step names a tool that it requires. */
const CALLS = /\bcall `(\w+)`/gi;

export const skillDocs = defineResource({
  uri: skillUri("{skill}"),
  name: "skill",
  title: "A skill",
  description: "The steps in which something is made or found with the tools of this server.",
  mimeType: "text/markdown",
  list: async (context) =>
    listSkills(context).map(({ name, title, description }) => ({ value: name, title, description })),
  read: async (context, name) => {
    const skill = listSkills(context).find((one) => one.name === name);
    return skill && { text: skillFile(skill) };
  },
});

/** The skills whose tools the caller has. */
export function listSkills(context: ReadingContext): Skill[] {
  return Object.entries(SKILLS).flatMap(([name, tool]) =>
    context.has(tool) ? [readSkill(name as SkillName, context)] : [],
  );
}

/** Leaves out the steps whose tools the caller lacks. Throws if the chapter has no such section. */
export function readSkill(name: SkillName, { guide, has }: ReadingContext): Skill {
  const chapter = guide.chapters.find(({ slug }) => slug === CHAPTER)?.body ?? "";
  const stepsOf = (section: string): string[] =>
    stepsIn(section)
      .filter((step) => [...step.matchAll(CALLS)].every(([, tool = ""]) => has(tool)))
      .map((step) =>
        step.replace(TO_SECTION, (_link, words: string, other: string) =>
          [`${words}:`, ...stepsOf(sectionOf(chapter, other).text)].join("\n   - "),
        ),
      );
  const { title, text } = sectionOf(chapter, name);
  const [description = ""] = text.trim().split("\n\n");
  return { name, title, description: inOneLine(description), steps: stepsOf(text) };
}

function sectionOf(chapter: string, name: string): { title: string; text: string } {
  for (const section of chapter.split(/^## /m)) {
    const [title = "", ...lines] = section.split("\n");
    if (title.toLowerCase().replaceAll(" ", "-") === name) return { title, text: lines.join("\n") };
  }
  throw new Error(`the chapter ${CHAPTER} has no section ${name}`);
}

function stepsIn(section: string): string[] {
  return section
    .split(/^\d+\. /m)
    .slice(1)
    .map(inOneLine);
}

function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
