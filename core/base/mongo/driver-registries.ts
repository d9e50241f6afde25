// The driver keeps its sessions and cursors in use in two Sets, which every read enters and leaves. Sets keep ended ones alive
// (runtime/in-flight.ts has the reason), with the documents they have read, so the client gets registries that do not.
import type { MongoClient } from "mongodb";
import { createInFlight } from "../../../runtime/in-flight.ts";

/** What the driver does with its Sets (mongo_client.js, abstract_cursor.js). */
type Registry = Pick<Set<object>, "add" | "delete" | "clear"> & Iterable<object>;

export type DriverState = { activeSessions: Registry; activeCursors: Registry };

/** For a client that has not connected. */
export function replaceRegistries(client: MongoClient): void {
  const { s: state } = client as unknown as { s: DriverState };
  state.activeSessions = createRegistry();
  state.activeCursors = createRegistry();
}

const AT = Symbol("number in the registry");
type Numbered = { [AT]?: number | undefined };

function createRegistry(): Registry {
  const members = createInFlight<Numbered>();
  let last = 0;
  const registry: Registry = {
    add: (member: Numbered) => {
      if (member[AT] === undefined) members.add((member[AT] = ++last), member);
      return registry as Set<object>;
    },
    delete: (member: Numbered) => {
      if (member[AT] === undefined) return false;
      members.remove(member[AT]);
      member[AT] = undefined;
      return true;
    },
    clear: () => {
      for (const [, member] of members.all()) registry.delete(member);
    },
    *[Symbol.iterator]() {
      for (const [, member] of members.all()) yield member;
    },
  };
  return registry;
}
