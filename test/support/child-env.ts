// The environment of test processes: where programs are, and Node's compile cache, which saves each of them a second. Processes of a
// measurement profile themselves when it does (scripts/flame.ts).
const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;

export const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

export const CHILD_ENV = { PATH, ...COMPILED, ...(NODE_OPTIONS?.includes("--cpu-prof") && { NODE_OPTIONS }) };
