// The environment of test processes: where programs are, and Node's compile cache, which saves each of them a second.
const { PATH, NODE_COMPILE_CACHE } = process.env;

export const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

export const CHILD_ENV = { PATH, ...COMPILED };
