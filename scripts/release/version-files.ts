// The files that say which version they belong to, and how each of them says it. Pure.

type VersionFile = {
  readonly path: string;
  /** Each finds one place; what stands between the two groups is the version. */
  readonly places: readonly RegExp[];
};

const JSON_VERSION = /^(  "version": ")[^"]+(")/m;

export const VERSION_FILES: readonly VersionFile[] = [
  { path: "package.json", places: [JSON_VERSION] },
  // Its own, and that of the root among its packages.
  {
    path: "package-lock.json",
    places: [JSON_VERSION, /^(    "": \{\n      "name": "[^"]+",\n      "version": ")[^"]+(")/m],
  },
  { path: "clients/js/package.json", places: [JSON_VERSION] },
  {
    path: "deploy/helm/atelier/Chart.yaml",
    places: [/^(version: "?)[^"\n]+("?)$/m, /^(appVersion: "?)[^"\n]+("?)$/m],
  },
  { path: "clients/python/pyproject.toml", places: [/^(version = ")[^"]+(")/m] },
];

/** Throws where a place is not found: the file has changed its form. */
export function withVersion({ path, places }: VersionFile, text: string, version: string): string {
  return places.reduce((changed, place) => {
    if (!place.test(changed))
      throw new Error(`${path} does not say its version where it used to: ${place.source}`);
    return changed.replace(place, (_, before: string, after: string) => `${before}${version}${after}`);
  }, text);
}
