// What stops a start and can be put right by the person who reads it: shown as its one line, without a stack.

export class StartupError extends Error {
  override readonly name = "StartupError";
}
