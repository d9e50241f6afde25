// The bytes of a call's inputs, for adapters that pass bytes on.
import type { ProviderCall } from "./provider.ts";

/** Inputs that are together no larger than this need no reservation. */
const SMALL_BYTES = 4 * 2 ** 20;

/** By the name of the param, in the order of the call; all, or those whose names are given. */
export async function readInputs(
  { inputs, reserveMemory }: Pick<ProviderCall, "inputs" | "reserveMemory">,
  names: readonly string[] = [...inputs.keys()],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...inputs].filter(([name]) => names.includes(name));
  if (wanted.reduce((sum, [, { bytes }]) => sum + bytes, 0) > SMALL_BYTES) await reserveMemory();
  return new Map(await Promise.all(wanted.map(async ([name, input]) => [name, await input.read()] as const)));
}
