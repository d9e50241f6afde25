// buildah with a separate storage, which leaves the machine's images alone and can be deleted.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export type Mounted = { readonly container: string; readonly path: string; remove(): void };
export type Buildah = {
  /** Its output, without the last line end. */
  (...args: readonly string[]): string;
  hasImage(name: string): boolean;
  /** A container of the image, and its root on this machine. */
  mount(image: string): Mounted;
  /** The image's settings for every command. */
  envOf(image: string): Record<string, string>;
};

const inspectSchema = z.object({ OCIv1: z.object({ config: z.object({ Env: z.array(z.string()) }) }) });

export function useStorage(folder: string): Buildah {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "storage.conf");
  const [graph, run] = ["graph", "run"].map((name) => join(folder, name));
  // vfs copies every layer, which works on any file system.
  writeFileSync(file, `[storage]\ndriver = "vfs"\ngraphroot = "${graph}"\nrunroot = "${run}"\n`);
  // oxlint-disable-next-line node/no-process-env -- for every buildah that is started from here
  Object.assign(process.env, { CONTAINERS_STORAGE_CONF: file, BUILDAH_ISOLATION: "chroot" });

  const buildah = (...args: readonly string[]): string =>
    execFileSync("buildah", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trimEnd();
  return Object.assign(buildah, {
    hasImage: (name: string) =>
      buildah("images", "--format", "{{.Name}}:{{.Tag}}").split("\n").includes(name),
    envOf: (image: string) => {
      const { OCIv1 } = inspectSchema.parse(JSON.parse(buildah("inspect", "--type=image", image)));
      const pairs = OCIv1.config.Env;
      return Object.fromEntries(
        pairs.map((pair) => [pair.split("=")[0] ?? "", pair.slice(pair.indexOf("=") + 1)]),
      );
    },
    mount: (image: string) => {
      const container = buildah("from", "--pull-never", image);
      return { container, path: buildah("mount", container), remove: () => void buildah("rm", container) };
    },
  });
}
