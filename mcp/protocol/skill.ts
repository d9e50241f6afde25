// A skill of the protocol's extension (SEP-2640): steps in Markdown that a host gives to its model when they fit the work. Each skill is
// one file.
import { type Skill as SkillEntry, skillEntry } from "@modelcontextprotocol/server/ext/skills";

const FILE = "SKILL.md";

export type Skill = {
  /** Lower-case letters and hyphens. */
  readonly name: string;
  readonly title: string;
  /** What it does and when to use it, in one line. */
  readonly description: string;
  readonly steps: readonly string[];
};

export function skillUri(name: string): string {
  return `skill://${name}/${FILE}`;
}

/** The file of a skill, whose front matter repeats the name and the description. */
export function skillFile({ name, title, description, steps }: Skill): string {
  return [
    `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`,
    `# ${title}\n`,
    `${description}\n`,
    `Do it with the tools of this server:\n`,
    `${numbered(steps)}\n`,
  ].join("\n");
}

export function numbered(steps: readonly string[]): string {
  return steps.map((step, i) => `${i + 1}. ${step}`).join("\n");
}

/** The entry of skills/list, with the digest and the size of the file. Throws if the skill breaks a rule of the extension. */
export function toSkillEntry(skill: Skill): Promise<SkillEntry> {
  return skillEntry(skill.name, { [FILE]: skillFile(skill) });
}
