// Runs a command of the image on this machine like compose and Kubernetes: with a read-only root, a /tmp in memory, the image's own user,
// and no capabilities. It shares the machine's network.
import type { Part } from "../plan.ts";
import type { Mounted } from "./buildah.ts";

/** The Containerfile's command. */
export const IMAGE_USER = 65532;
/** The Containerfile's folder of the service. */
export const IMAGE_FOLDER = "/opt/atelier";

type Command = Pick<Part, "command" | "args" | "env">;
/** The command of this machine that runs the image's node with these arguments and settings. */
export type Container = (order: Pick<Command, "args" | "env">) => Command;

const SECRETS = "/run/secrets";

/** Runs in separate mount and pid namespaces, whose mounts are private and end with the process. */
const ENTER = `
set -e
mount --bind "$IMAGE_ROOT" "$IMAGE_ROOT"
cd "$IMAGE_ROOT"
mount -t tmpfs -o size=64m,mode=1777 tmpfs tmp
mount -t tmpfs -o size=1m,mode=755 tmpfs run
mkdir run/secrets
mount --bind "$IMAGE_SECRETS" run/secrets
mount -o remount,ro,bind run
mount -t proc proc proc
mount --rbind /dev dev
mount -o remount,ro,bind .
unset IMAGE_ROOT IMAGE_SECRETS
cd "$PWD"
exec unshare --root=. --wd=${IMAGE_FOLDER} --setgid=${IMAGE_USER} --setuid=${IMAGE_USER} \\
  setpriv --no-new-privs -- "$@"
`;

/** `secrets` is a folder of this machine, which settings name. `imageEnv` is the image's whole environment, PATH included. */
export function readOnlyContainer(
  { path }: Mounted,
  secrets: string,
  imageEnv: Readonly<Record<string, string>>,
): Container {
  return ({ args, env }) => {
    const inside = Object.entries(env).map(([name, value]) => [name, value.replace(secrets, SECRETS)]);
    return {
      command: "unshare",
      args: ["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", "node", ...args],
      env: { ...imageEnv, ...Object.fromEntries(inside), IMAGE_ROOT: path, IMAGE_SECRETS: secrets },
    };
  };
}
