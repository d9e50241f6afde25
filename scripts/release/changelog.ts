// CHANGELOG.md in the format of keepachangelog.com: turns the unreleased part into a release. Pure.

const UNRELEASED = "## [Unreleased]";

export type Cut = {
  /** The whole changelog, with the release and an empty unreleased part. */
  readonly changelog: string;
  /** The release's notes. */
  readonly notes: string;
};

/** Undefined when there is nothing unreleased. */
export function cutRelease(changelog: string, version: string, date: string): Cut | undefined {
  const [before, rest] = splitAt(changelog, UNRELEASED);
  if (rest === undefined) return undefined;
  const next = rest.search(/^## \[/m);
  const notes = (next < 0 ? rest : rest.slice(0, next)).trim();
  if (!/^- /m.test(notes)) return undefined;
  const older = next < 0 ? "" : `\n${rest.slice(next)}`;
  return { changelog: `${before}${UNRELEASED}\n\n## [${version}] - ${date}\n\n${notes}\n${older}`, notes };
}

function splitAt(text: string, line: string): [before: string, rest: string | undefined] {
  const at = text.indexOf(`${line}\n`);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + line.length + 1)];
}
