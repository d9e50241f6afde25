// An error that stops the start and that the reader can fix: shown as one line without a stack.

export class StartupError extends Error {
  override readonly name = "StartupError";
}
