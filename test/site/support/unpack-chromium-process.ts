// Unpacks the Chromium that lies in its npm package into TMPDIR and prints where the program is. A process of its own, because the
// package chooses the folder, and whether to unpack the system libraries with it, by the environment.
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
