// Why a release is not made: one sentence for whoever asked for it.
export class Refusal extends Error {}
