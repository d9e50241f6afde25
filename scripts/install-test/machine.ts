// A fresh Debian with systemd as its first process, on this machine: made by debootstrap, booted by systemd-nspawn in a separate network
// with slirp4netns. It uses this machine's certificates and name server.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "../../test/support/wait-for.ts";

/** The packages of a minimal Debian server. */
const PACKAGES = "systemd-sysv,dbus,ca-certificates,iproute2";
const TOOLS = ["debootstrap", "systemd-nspawn", "slirp4netns", "nsenter"];
const BOOT_LIMIT_MS = 120_000;
const OWN_CERTIFICATES = "/usr/local/share/ca-certificates";

export type Machine = {
  readonly root: string;
  /** Runs a program inside, as root. */
  enter(...command: string[]): ChildProcess;
  stop(): Promise<void>;
};

/** Names the missing programs of this machine; empty when it has all. */
export function whatIsMissing(): string[] {
  const lacking = TOOLS.filter((tool) => spawnSync("which", [tool]).status !== 0);
  return process.getuid?.() === 0 ? lacking : ["the rights of root", ...lacking];
}

/** `cache` keeps the bare Debian for the next time; `root` is this machine's folder. */
export async function startMachine(cache: string, root: string, hosts: readonly string[]): Promise<Machine> {
  const bare = join(cache, "debian-bookworm");
  if (!existsSync(bare)) {
    mkdirSync(cache, { recursive: true });
    rmSync(`${bare}.new`, { recursive: true, force: true });
    execFileSync("debootstrap", ["--variant=minbase", `--include=${PACKAGES}`, "bookworm", `${bare}.new`], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    renameSync(`${bare}.new`, bare);
  }
  execFileSync("cp", ["--archive", bare, root]);
  writeFileSync(join(root, "etc/hostname"), "install-test\n");
  writeFileSync(join(root, "etc/hosts"), `127.0.0.1 localhost install-test ${hosts.join(" ")}\n`);
  // The machine need not survive a power loss, and without fsync packages unpack much faster.
  writeFileSync(join(root, "etc/dpkg/dpkg.cfg.d/unsafe-io"), "force-unsafe-io\n");
  // slirp4netns' name server.
  rmSync(join(root, "etc/resolv.conf"), { force: true });
  writeFileSync(join(root, "etc/resolv.conf"), "nameserver 10.0.2.3\n");
  if (existsSync(OWN_CERTIFICATES) && readdirSync(OWN_CERTIFICATES).length > 0) {
    cpSync(OWN_CERTIFICATES, join(root, OWN_CERTIFICATES), { recursive: true });
    execFileSync("chroot", [root, "update-ca-certificates"], { stdio: "ignore" });
  }
  return boot(root);
}

async function boot(root: string): Promise<Machine> {
  const nspawn = spawn(
    "systemd-nspawn",
    [
      "--boot",
      "--quiet",
      `--directory=${root}`,
      "--register=no",
      "--keep-unit",
      "--private-network",
      "--resolv-conf=off",
      "--console=passive",
      // A server allows locked memory, which mongod uses for its keys.
      "--system-call-filter=@memlock",
    ],
    { stdio: "ignore" },
  );
  const leader = await firstChildOf(nspawn);
  const enter = (...command: string[]) =>
    spawn("nsenter", ["--target", leader, "--mount", "--uts", "--ipc", "--net", "--pid", ...command], {
      env: environment(),
    });
  const network = spawn(
    "slirp4netns",
    ["--configure", "--mtu=1400", "--disable-host-loopback", leader, "tap0"],
    { stdio: "ignore" },
  );
  const isUp = async () => /^(running|degraded)$/.test(await endOf(enter("systemctl", "is-system-running")));
  await waitFor("systemd to be up", isUp, BOOT_LIMIT_MS);
  return {
    root,
    enter,
    stop: async () => {
      await endOf(enter("systemctl", "poweroff"));
      const gone = new Promise((resolve) => nspawn.once("exit", resolve));
      if (nspawn.exitCode === null) await Promise.race([gone, delay(60_000)]);
      nspawn.kill("SIGKILL");
      network.kill();
    },
  };
}

/** A login shell's environment; behind a proxy Node reads additional certificates from it. */
function environment(): NodeJS.ProcessEnv {
  const bundle = "/etc/ssl/certs/ca-certificates.crt";
  return {
    HOME: "/root",
    LANG: "C.UTF-8",
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    DEBIAN_FRONTEND: "noninteractive",
    ...(existsSync(OWN_CERTIFICATES) && { NODE_EXTRA_CA_CERTS: bundle }),
  };
}

async function firstChildOf({ pid }: ChildProcess): Promise<string> {
  const find = () => {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0];
    // Its first children only set things up; systemd stays.
    return child && readFileSync(`/proc/${child}/comm`, "utf8").trim() === "systemd" && child;
  };
  return waitFor("systemd to be started", find, BOOT_LIMIT_MS);
}

/** Its output, once it has ended. */
async function endOf({ stdout, stderr }: ChildProcess): Promise<string> {
  const said = await Promise.all([stdout, stderr].map((stream) => (stream ? text(stream) : "")));
  return said.join("").trim();
}
