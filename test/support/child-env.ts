// What processes that tests start are given of this one's environment, beside what the test says: where programs are, and where what Node has
// compiled of the same files lies, which spares each of them a second.
const { PATH, NODE_COMPILE_CACHE } = process.env;

export const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

export const CHILD_ENV = { PATH, ...COMPILED };
