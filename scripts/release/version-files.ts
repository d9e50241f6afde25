// The files that contain the version, and its place in each. Pure.

type VersionFile = {
  readonly path: string;
  /** Each matches one place; the version is between the two groups. */
  readonly places: readonly RegExp[];
};

const JSON_VERSION = /^(  "version": ")[^"]+(")/m;

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
