// Checks what a database reports about itself. This file is pure.
import { checkSkew } from "../../../runtime/clock.ts";
import type { ServerInfo, IndexFault } from "../../base/mongo/facts.ts";
import type { listWitnesses } from "../../identity/log/read-log.ts";
import { checkFailOver, MEMBER_PARAMETERS } from "./fail-over-rules.ts";
import { warn, type Finding, unknown, pass, fail } from "./finding.ts";

const OLDEST_VERSION = 6;
const TRANSACTION_LIMIT = "transactionLifetimeLimitSeconds";
const TRANSACTION_SECONDS = 5;
const MAX_LAG_SECONDS = 10;
const DISK_NEARLY_FULL = 0.8;
const DISK_FULL = 0.95;
const GUIDE = "docs/operations/production.md";

/** The parameters of each member that the rules need. */
export const ASKED_PARAMETERS: readonly string[] = [TRANSACTION_LIMIT, ...Object.keys(MEMBER_PARAMETERS)];

export function checkServer(facts: ServerInfo): Finding[] {
  return [
    checkVersion(facts),
    ...checkMembers(facts),
    ...checkFailOver(facts),
    ...checkTransactions(facts),
    checkDisk(facts),
    facts.isOpen
      ? fail(
          "MongoDB access",
          "it answers anyone without a password",
          "start mongod with --auth or a key file, and give the service a user",
        )
      : pass("MongoDB access", "asks for a password"),
    facts.usesTls || facts.isLocal
      ? pass("MongoDB connection", facts.usesTls ? "encrypted" : "on this machine")
      : warn(
          "MongoDB connection",
          "not encrypted",
          "use tls=true in MONGODB_URI, unless the network is private or a mesh encrypts it",
        ),
    checkClock(facts),
  ];
}

function checkVersion({ version, isCluster, isReplicaSet }: ServerInfo): Finding {
  const about = "MongoDB";
  if (Number.parseInt(version, 10) < OLDEST_VERSION)
    return fail(about, `version ${version}`, `use MongoDB ${OLDEST_VERSION} or newer`);
  if (!isCluster && !isReplicaSet)
    return fail(
      about,
      "a single server without a replica set has no transactions",
      "start it with --replSet and run rs.initiate()",
    );
  return pass(about, `version ${version}, ${isCluster ? "a sharded cluster" : "a replica set"}`);
}

function checkMembers({ members, isCluster }: ServerInfo): Finding[] {
  const about = "replica set";
  if (isCluster) return [unknown(about, "the shards' members cannot be checked through mongos: check each")];
  if (!members)
    return [unknown(about, "its user may not see the members: the role clusterMonitor is missing")];
  const ill = members.filter(({ isHealthy }) => !isHealthy);
  const late = members.filter(({ isHealthy, lagSeconds }) => isHealthy && lagSeconds > MAX_LAG_SECONDS);
  const found = [
    ...ill.map(({ name, state }) =>
      fail(about, `${name} is ${state}`, "bring it back before another one fails: rs.status() says why"),
    ),
    ...late.map(({ name, lagSeconds }) =>
      warn(
        about,
        `${name} is ${Math.round(lagSeconds)} s behind the primary`,
        "check its disk and network: commits wait for a majority",
      ),
    ),
  ];
  if (members.length < 3)
    found.push(
      warn(
        about,
        `${members.length} of its members are all that there are`,
        "have three: with fewer, one that fails stops all writing or loses them",
      ),
    );
  return found.length > 0 ? found : [pass(about, `${members.length} members, all well`)];
}

/** Any member may be the next primary. */
function checkTransactions({ set }: ServerInfo): Finding[] {
  const about = "transactions";
  if (!set)
    return [
      unknown(
        about,
        `${TRANSACTION_LIMIT} cannot be read here: it should be ${TRANSACTION_SECONDS} on each member`,
      ),
    ];
  const found = set.members.flatMap(({ name, parameters }) => {
    const seconds = parameters?.[TRANSACTION_LIMIT];
    if (seconds === undefined)
      return [unknown(about, `${name} cannot be asked for ${TRANSACTION_LIMIT} from here`)];
    if (seconds <= TRANSACTION_SECONDS) return [];
    return [
      warn(
        about,
        `${TRANSACTION_LIMIT} of ${name} is ${seconds}: after a crash accounts may wait as long`,
        `set it to ${TRANSACTION_SECONDS} in the configuration of each member (${GUIDE})`,
      ),
    ];
  });
  return found.length > 0 ? found : [pass(about, `left ones end after ${TRANSACTION_SECONDS} s at most`)];
}

function checkDisk({ diskUsed: used }: ServerInfo): Finding {
  const about = "database's disk";
  if (used === undefined) return unknown(about, "the database does not say how full it is");
  const what = `${Math.round(used * 100)}% full`;
  if (used > DISK_FULL) return fail(about, what, "make room now: mongod ends when there is none");
  return used > DISK_NEARLY_FULL
    ? warn(about, what, "make room, or let old jobs be archived")
    : pass(about, what);
}

function checkClock({ skewMs }: ServerInfo): Finding {
  const skew = checkSkew(skewMs);
  return skew === true
    ? pass("clock", `${(Math.abs(skewMs) / 1000).toFixed(1)} s from the database's`)
    : fail("clock", skew, "keep the clocks of all machines in step (NTP, chrony)");
}

export function checkSchemaVersion(version: number | undefined, newest: number): Finding {
  const about = "schema";
  if (version === undefined)
    return warn(about, "there are no data yet", "run npm run atelier -- migrate, or start a core");
  if (version < newest)
    return fail(
      about,
      `version ${version}, needed ${newest}`,
      "make a backup, then npm run atelier -- migrate",
    );
  return version > newest
    ? fail(
        about,
        `version ${version}, newer than this release knows (${newest})`,
        "use the release that migrated it",
      )
    : pass(about, `version ${version}`);
}

export function checkIndexes(faults: readonly IndexFault[]): Finding[] {
  if (faults.length === 0) return [pass("indexes", "as the code wants them")];
  return faults.map(({ collection, index, fault }) =>
    fault === "missing"
      ? warn(
          "indexes",
          `${collection} has no index ${index}`,
          "npm run atelier -- migrate makes it, as does each core at its start",
        )
      : fail(
          "indexes",
          `${index} of ${collection} is another one than the code wants`,
          "drop it; npm run atelier -- migrate makes the right one",
        ),
  );
}

/** What the log's witnesses said when a worker last asked them. */
export function checkWitnesses(witnesses: Awaited<ReturnType<typeof listWitnesses>>): Finding[] {
  return witnesses.map(({ name, doc }) => {
    const about = `witness ${name}`;
    if (!doc) return warn(about, "it was never asked", "see that a worker runs with ATELIER_LOG_WITNESSES");
    const { cosigned, fault } = doc;
    const until = cosigned ? `it cosigned ${cosigned.size} entries last` : "it has cosigned nothing yet";
    return fault
      ? warn(
          about,
          `${until}: ${fault.words}`,
          "check URL and key of ATELIER_LOG_WITNESSES with its operator",
        )
      : pass(about, until);
  });
}
