// Samples of where processor time went, as stacks: from V8's own profiler, and from perf for what is not JavaScript.

/** How many samples or microseconds each stack has, its outermost function first. */
export type Stacks = Map<string, number>;

/** Between the functions of a stack; no name has one. */
export const STEP = "\n";

const IDLE = new Set(["(idle)", "(root)"]);

type CallFrame = { functionName: string; url: string; lineNumber: number };
type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
};

/** Of a .cpuprofile, in microseconds. Time in which nothing ran is left out. */
export function readCpuProfile(json: string): Stacks {
  const { nodes, samples, timeDeltas } = JSON.parse(json) as CpuProfile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const names = new Map<number, string>();
  const stackOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id);
    if (!node) return "";
    const known = names.get(node.id);
    if (known !== undefined) return known;
    const outer = stackOf(parents.get(node.id));
    const name = nameOf(node.callFrame);
    const stack = IDLE.has(name) ? outer : outer === "" ? name : outer + STEP + name;
    names.set(node.id, stack);
    return stack;
  };
  const stacks: Stacks = new Map();
  for (const [i, id] of samples.entries()) add(stacks, stackOf(id), timeDeltas[i] ?? 0);
  return stacks;
}

function nameOf({ functionName, url, lineNumber }: CallFrame): string {
  const file = url.split("/").slice(-2).join("/");
  return `${functionName || "(anonymous)"}${file ? ` ${file}:${lineNumber + 1}` : ""}`;
}

/**
 * Of the lines of `perf script -F comm,pid,ip,sym`, in samples, of each process by its pid. What a process is called is what one of its threads
 * is called. Line by line: of a long measurement they are more than a string can hold.
 */
export async function readPerf(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Map<number, { names: Set<string>; stacks: Stacks }>> {
  const processes = new Map<number, { names: Set<string>; stacks: Stacks }>();
  let stacks: Stacks | undefined;
  let functions: string[] = [];
  const end = () => {
    if (stacks) add(stacks, functions.reverse().join(STEP), 1);
    stacks = undefined;
    functions = [];
  };
  for await (const line of lines) {
    const [, name, pid] = stacks ? [] : (/^\s*(.+?)\s+(\d+)\s*$/.exec(line) ?? []);
    if (line === "") end();
    else if (name !== undefined) {
      const of = processes.get(Number(pid)) ?? {
        names: new Set<string>(),
        stacks: new Map<string, number>(),
      };
      processes.set(Number(pid), of);
      of.names.add(name);
      stacks = of.stacks;
    } else if (stacks) functions.push(line.trim().replace(/^[0-9a-f]+ /, ""));
  }
  end();
  return processes;
}

function add(stacks: Stacks, stack: string, weight: number): void {
  if (stack !== "") stacks.set(stack, (stacks.get(stack) ?? 0) + weight);
}

/** Functions in which more than this share of the time went by, themselves alone, the most first. */
export function hottest(stacks: Stacks, share: number): { name: string; share: number }[] {
  const own = new Map<string, number>();
  let total = 0;
  for (const [stack, weight] of stacks) {
    add(own, stack.slice(stack.lastIndexOf(STEP) + 1), weight);
    total += weight;
  }
  return [...own]
    .map(([name, weight]) => ({ name, share: weight / total }))
    .filter((one) => one.share >= share)
    .sort((a, b) => b.share - a.share);
}
