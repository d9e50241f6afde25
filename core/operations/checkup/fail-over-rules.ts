// The settings of a replica set of three or more with which a frozen primary costs seconds instead of half a minute. docs/reliability.md
// has the figures with and without these settings, and explains each of them. This file is pure.
import type { ServerInfo } from "../../base/mongo/facts.ts";
import { warn, type Finding, unknown, pass } from "./finding.ts";

/** For rs.initiate or rs.reconfig. */
export const SET_SETTINGS = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 100 } as const;

/** For each member. */
export const MEMBER_PARAMETERS = {
  oplogNetworkTimeoutBufferSeconds: 1,
  oplogFetcherSteadyStateMaxFetcherRestarts: 0,
} as const;

const COSTS: Readonly<Record<keyof typeof SET_SETTINGS | keyof typeof MEMBER_PARAMETERS, string>> = {
  electionTimeoutMillis: "without a primary nothing is accepted for this long, and then a second or two",
  heartbeatIntervalMillis:
    "after the primary freezes, one write is committed in this time until the frozen member is ended, or for 30 s",
  oplogNetworkTimeoutBufferSeconds:
    "after the primary freezes, nothing is accepted until the others give up reading from it, about 13 s instead of 5",
  oplogFetcherSteadyStateMaxFetcherRestarts:
    "after the primary freezes, the others try once more to read from it before anything is accepted",
};
const FIX = "set what docs/operations/production.md#three-members names";
const ABOUT = "frozen primary";
/** Fewer members cannot elect a primary when one is frozen. */
const FEWEST = 3;

export function checkFailOver({ isCluster, members, set }: ServerInfo): Finding[] {
  if (isCluster || (members !== undefined && members.length < FEWEST)) return [];
  if (set === undefined)
    return [unknown(ABOUT, "its user may not read the set's settings: the role clusterMonitor is missing")];
  if (set.members.length < FEWEST) return [];
  const found = [
    ...differing(SET_SETTINGS, set.settings, ""),
    ...set.members.flatMap(({ name, parameters }) =>
      parameters === undefined
        ? [unknown(ABOUT, `${name} cannot be asked for its parameters from here`)]
        : differing(MEMBER_PARAMETERS, parameters, ` of ${name}`),
    ),
  ];
  return found.length > 0 ? found : [pass(ABOUT, "given up within seconds")];
}

/** More than the recommended value is slower; less is the operator's choice. */
function differing<Name extends keyof typeof COSTS>(
  wanted: Readonly<Record<Name, number>>,
  found: Readonly<Record<string, number>>,
  whose: string,
): Finding[] {
  return (Object.keys(wanted) as Name[]).flatMap((name) => {
    const value = found[name];
    if (value === undefined || value <= wanted[name]) return [];
    return [warn(ABOUT, `${name}${whose} is ${value}: ${COSTS[name]}`, `${FIX}: ${wanted[name]}`)];
  });
}
