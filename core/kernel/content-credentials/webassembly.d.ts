// The part of the WebAssembly interface that is used here. TypeScript declares it for browsers only.
declare namespace WebAssembly {
  class Module {
    private readonly compiled: true;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
}
