// Unpacks the Chromium of its npm package into TMPDIR and prints the program's path. A separate process, because the package reads the
// folder, and whether to unpack system libraries, from the environment.
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
