// Two ways to run a command of the image on this machine: by buildah, and like compose and Kubernetes with a read-only root, a /tmp in
// memory, the image's own user, and no capabilities. Both share the machine's network.
import { type ChildProcess, spawn } from "node:child_process";
import type { Mounted } from "./buildah.ts";

/** The Containerfile's command. */
export const IMAGE_USER = 65532;

export type Order = {
  /** The image's node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files of this machine by their place in the container. */
  readonly files: Readonly<Record<string, string>>;
};
export type Container = (order: Order) => ChildProcess;

export function plainContainer({ container }: Mounted): Container {
  return ({ args, env, files }) => {
    const options = [
      ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
      ...Object.entries(files).map(([inside, path]) => `--volume=${path}:${inside}:ro`),
    ];
    const command = ["run", "--cap-drop=all", ...options, container, "--", "node", ...args];
    return spawn("buildah", command, { stdio: ["ignore", "pipe", "pipe"] });
  };
}

/** Runs in separate mount and pid namespaces, whose mounts are private and end with the process. */
const ENTER = `
set -e
mount --bind "$IMAGE_ROOT" "$IMAGE_ROOT"
cd "$IMAGE_ROOT"
mount -t tmpfs -o size=64m,mode=1777 tmpfs tmp
mount -t tmpfs -o size=1m,mode=755 tmpfs run
mkdir run/secrets
for pair in $IMAGE_FILES; do
  : > ".\${pair%%=*}"
  mount --bind "\${pair#*=}" ".\${pair%%=*}"
done
mount -o remount,ro,bind run
mount -t proc proc proc
mount --rbind /dev dev
mount -o remount,ro,bind .
unset IMAGE_ROOT IMAGE_FILES
cd "$PWD"
exec unshare --root=. --wd=/opt/atelier --setgid=${IMAGE_USER} --setuid=${IMAGE_USER} \\
  setpriv --no-new-privs -- "$@"
`;

/** `env` is the whole environment, so it must include the image's settings. */
export function readOnlyContainer({ path }: Mounted, imageEnv: Readonly<Record<string, string>>): Container {
  return ({ args, env, files }) => {
    const pairs = Object.entries(files).map(([inside, outside]) => `${inside}=${outside}`);
    return spawn(
      "unshare",
      ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", "node", ...args],
      {
        env: { ...imageEnv, ...env, IMAGE_ROOT: path, IMAGE_FILES: pairs.join(" ") },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
  };
}
