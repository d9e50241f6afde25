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
import { setTimeout as delay } from "node:timers/promises";

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
  const until = Date.now() + BOOT_LIMIT_MS;
  for (let state = ""; !/^(running|degraded)$/.test(state); await delay(500)) {
    if (Date.now() > until) throw new Error(`systemd did not come up: ${state}`);
    state = await endOf(enter("systemctl", "is-system-running"));
  }
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
  const until = Date.now() + BOOT_LIMIT_MS;
  while (Date.now() < until) {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0];
    // Its first children only set things up; systemd stays.
    if (child && readFileSync(`/proc/${child}/comm`, "utf8").trim() === "systemd") return child;
    await delay(200);
  }
  throw new Error("systemd-nspawn started nothing");
}

function endOf(child: ChildProcess): Promise<string> {
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      text += data.toString();
    });
  return new Promise((resolve) => child.once("close", () => resolve(text.trim())));
}
