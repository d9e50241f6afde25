// The sizes of tests with a long form, by `inject`: with all tests, and with `--mode thorough` for named files, such as `npm test --
// test/faults/work-killed.test.ts --mode thorough`. `npm run browse` is the long form of the pages, `npm run samples` that of the samples.

export type Sizes = {
  /** Also tests that start whole clusters, build other people's tools, or check every page. */
  isThorough: boolean;
  /** How often core is killed in the races of orders, with each payment provider. */
  orderKills: number;
  /** How often a worker of the work queue is killed. */
  workKills: number;
  /** How many jobs and workflows have their workers killed. */
  killedJobs: number;
  killedWorkflows: number;
  /** How many plans of workers that die while their provider works; five at a time. */
  callPlans: number;
  /** How often keys lose their rights under load. */
  revocations: number;
  refundPlans: number;
  /** Races of cancelling and completing. */
  cancelRaces: number;
  brokenFiles: number;
  brokenSignedFiles: number;
  archivedLives: number;
};

export const USUAL: Sizes = {
  isThorough: false,
  orderKills: 2,
  workKills: 2,
  killedJobs: 20,
  killedWorkflows: 0,
  callPlans: 5,
  revocations: 2,
  refundPlans: 3,
  cancelRaces: 21,
  brokenFiles: 300,
  brokenSignedFiles: 60,
  archivedLives: 1,
};

export const THOROUGH: Sizes = {
  isThorough: true,
  orderKills: 100,
  workKills: 200,
  killedJobs: 200,
  killedWorkflows: 1_000,
  callPlans: 300,
  revocations: 100,
  refundPlans: 40,
  cancelRaces: 510,
  brokenFiles: 10_000,
  brokenSignedFiles: 1_000,
  archivedLives: 60,
};

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-empty-object-type -- merged with vitest's own
  export interface ProvidedContext extends Sizes {}
}
