// npm run bench -- NAME: runs one measurement and prints its figures. Without a name it lists them.
import { readdirSync } from "node:fs";

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.slice(0, -".ts".length));

const name = process.argv[2] ?? "";
if (names.includes(name)) {
  const { run } = (await import(`./${name}.ts`)) as { run: () => Promise<void> };
  await run();
  // A rival may leave timers that would keep the process for minutes.
  process.exit();
} else {
  console.log(`Usage: npm run bench -- NAME\n\nNames: ${names.join(", ")}`);
  process.exitCode = name === "" ? 0 : 2;
}
