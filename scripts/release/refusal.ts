// The reason why a release is refused: one sentence.
export class Refusal extends Error {}
