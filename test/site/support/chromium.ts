// A real Chromium from npm alone, unpacked once into .cache with its system libraries, so that no installation is needed.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { CACHE_DIR } from "../../../runtime/mongod/binary-cache.ts";

const LAUNCH_BOUND_MS = 60_000;
/** Once in a hundred starts on a busy machine it crashes before it has opened a page. */
const LAUNCHES = 3;
/** Makes the package unpack its libraries too, as on the cloud platform that it is made for. */
const AS_ON_ITS_PLATFORM = { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" };

const FONTS_CONFIG = "fonts-here.conf";

/** Ends with `close()`, and with this process in any case. */
export async function startChromium(): Promise<Browser> {
  const folder = await unpackChromium();
  for (let launch = 1; ; launch++) {
    try {
      return await launchFrom(folder);
    } catch (error) {
      if (launch === LAUNCHES) throw error;
    }
  }
}

function launchFrom(folder: string): Promise<Browser> {
  return chromium.launch({
    executablePath: join(folder, "chromium"),
    // As root in a container it has no sandbox; it opens only pages of the test.
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      FONTCONFIG_FILE: join(folder, FONTS_CONFIG),
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
    },
    timeout: LAUNCH_BOUND_MS,
  });
}

/** The folder of this version. Parallel tests both unpack; the first one's folder stays. */
async function unpackChromium(): Promise<string> {
  const manifest = fileURLToPath(new URL("../../package.json", import.meta.resolve("@sparticuz/chromium")));
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const folder = join(CACHE_DIR, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE_DIR, { recursive: true });
  const fresh = mkdtempSync(join(CACHE_DIR, "chromium-new-"));
  const script = fileURLToPath(new URL("unpack-chromium-process.ts", import.meta.url));
  await promisify(execFile)(process.execPath, [script], { env: { TMPDIR: fresh, ...AS_ON_ITS_PLATFORM } });
  writeFileSync(join(fresh, FONTS_CONFIG), fontsConfig(folder));
  try {
    renameSync(fresh, folder);
  } catch {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** The package's own configuration names folders of its platform; without any font the browser crashes. */
function fontsConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>
`;
}
