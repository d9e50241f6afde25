// A provider with handles, over HTTP in the test's process: it remembers its calls, and stops at a given step.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The step of a request, as the provider sees it. */
export type CallStep = "start arrives" | "start is done" | "it is asked" | "its file is fetched";

export type CallDouble = {
  /** Named by the jobs' prompt, which separates observed calls. */
  address(name: string): string;
  /** Resolves when a request of this name has reached the step, which then gets no response. */
  reached(name: string, step: CallStep): Promise<void>;
  /** The keys of the calls under this name, once for each start. */
  begun(name: string): readonly string[];
  /** Makes everything ready. */
  finish(): void;
  close(): Promise<void>;
};

export async function startCallDouble(): Promise<CallDouble> {
  const begun = new Map<string, string[]>();
  const stops = new Map<string, () => void>();
  let state = "running";

  /** Responds, unless it should stop here: the first time only. */
  function answer(response: ServerResponse, at: string, body: unknown): void {
    const stop = stops.get(at);
    stops.delete(at);
    if (stop) return stop();
    response.end(JSON.stringify(body));
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://double");
    const [, name = "", what, handle] = pathname.split("/");
    const at = (step: CallStep) => `${name} ${step}`;
    if (what === "files") return answer(response, at("its file is fetched"), {});
    if (what === "calls") return answer(response, at("it is asked"), { state, handle });
    if (stops.has(at("start arrives"))) return answer(response, at("start arrives"), {});
    const key = searchParams.get("key") ?? "";
    begun.set(name, [...(begun.get(name) ?? []), key]);
    answer(response, at("start is done"), { handle: key });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: (name) => `http://127.0.0.1:${port}/${name}`,
    reached: (name, step) => new Promise((resolve) => stops.set(`${name} ${step}`, resolve)),
    begun: (name) => begun.get(name) ?? [],
    finish: () => {
      state = "made";
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
