// What stops a start and the reader can put right: shown as one line, without a stack.

export class StartupError extends Error {
  override readonly name = "StartupError";
}
