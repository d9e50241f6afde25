// Release versions by semver.org: 1.2.3, and 1.2.3-rc.1 for a release candidate. Pure.

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
