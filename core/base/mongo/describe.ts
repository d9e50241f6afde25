// The state of the database for the operator's page: the replica set, its lag, and connections.
import type { Mongo } from "./client.ts";

export type Member = {
  name: string;
  state: string;
  isHealthy: boolean;
  /** How far it is behind the primary. */
  lagSeconds: number | undefined;
};

export type DatabaseState = {
  version: string;
  /** undefined if this user may not read it. */
  members: readonly Member[] | undefined;
  connections: { current: number; available: number } | undefined;
};

type ServerStatus = { version: string; connections?: { current: number; available: number } };
type SetStatus = {
  members: { name: string; stateStr: string; health: number; optimeDate?: Date }[];
};

/** Throws if the database does not respond. Facts that its user may not see are left out. */
export async function describeDatabase({ client, db }: Pick<Mongo, "client" | "db">): Promise<DatabaseState> {
  const admin = client.db("admin");
  const [build, status, set] = await Promise.all([
    db.command({ buildInfo: 1 }) as Promise<unknown> as Promise<{ version: string }>,
    unlessForbidden(admin.command({ serverStatus: 1 })) as Promise<ServerStatus | undefined>,
    unlessForbidden(admin.command({ replSetGetStatus: 1 })) as Promise<SetStatus | undefined>,
  ]);
  return {
    version: build.version,
    connections: status?.connections,
    members: set && membersOf(set),
  };
}

function membersOf({ members }: SetStatus): Member[] {
  const primary = members.find(({ stateStr }) => stateStr === "PRIMARY")?.optimeDate;
  return members.map(({ name, stateStr, health, optimeDate }) => ({
    name,
    state: stateStr.toLowerCase(),
    isHealthy: health === 1,
    lagSeconds: primary && optimeDate && Math.max(0, (primary.getTime() - optimeDate.getTime()) / 1000),
  }));
}

async function unlessForbidden(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch(() => undefined);
}
