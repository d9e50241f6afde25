// Release versions by semver.org: 1.2.3, and 1.2.3-rc.1 for a release candidate. Pure.

const JSON_VERSION = /^(  "version": ")[^"]+(")/m;
const UNRELEASED = "## [Unreleased]";

export type Version = readonly [major: number, minor: number, patch: number, candidate: number];

const FORM = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-rc\.([1-9]\d*))?$/;

/** Undefined for an invalid version. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, candidate] = FORM.exec(text) ?? [];
  if (major === undefined) return undefined;
  // A release sorts after its candidates.
  return [
    Number(major),
    Number(minor),
    Number(patch),
    candidate === undefined ? Infinity : Number(candidate),
  ];
}

export function isNewer(one: Version, other: Version): boolean {
  const at = one.findIndex((part, i) => part !== other[i]);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

/** Why this version may not follow these tags in a tree whose package.json says `current`; undefined if it may. */
export function refusal(wanted: string, current: string, tags: readonly string[]): string | undefined {
  const version = parseVersion(wanted);
  if (!version) return `${wanted} is not a version: write it as 1.2.3, or 1.2.3-rc.1.`;
  const released = tags.flatMap((tag) => {
    const before = parseVersion(tag.replace(/^v/, ""));
    return before && !isNewer(version, before) ? [tag] : [];
  });
  if (released.length > 0) return `${wanted} is not newer than ${released[0]}, which is released.`;
  const own = parseVersion(current);
  if (own && isNewer(own, version)) return `${wanted} is older than ${current}, which package.json says.`;
  return undefined;
}

type VersionFile = {
  readonly path: string;
  /** Each matches one place; the version is between the two groups. */
  readonly places: readonly RegExp[];
};

export const VERSION_FILES: readonly VersionFile[] = [
  { path: "package.json", places: [JSON_VERSION] },
  // Its own version, and that of the root package.
  {
    path: "package-lock.json",
    places: [JSON_VERSION, /^(    "": \{\n      "name": "[^"]+",\n      "version": ")[^"]+(")/m],
  },
  { path: "README.md", places: [/^(Version )\S+(\. All rights)/m] },
  { path: "clients/js/package.json", places: [JSON_VERSION] },
  {
    path: "deploy/helm/atelier/Chart.yaml",
    places: [/^(version: "?)[^"\n]+("?)$/m, /^(appVersion: "?)[^"\n]+("?)$/m],
  },
  { path: "clients/python/pyproject.toml", places: [/^(version = ")[^"]+(")/m] },
];

/** Throws when a place is not found, because the file has changed its format. */
export function withVersion({ path, places }: VersionFile, text: string, version: string): string {
  return places.reduce((changed, place) => {
    if (!place.test(changed))
      throw new Error(`${path} does not say its version where it used to: ${place.source}`);
    return changed.replace(place, (_, before: string, after: string) => `${before}${version}${after}`);
  }, text);
}

type Cut = {
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
