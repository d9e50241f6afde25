// The rotation of each secret by the steps of docs/operations/secrets.md, as trials: what the old secret signed or opens goes on until it is
// dropped, and is refused from then on.
import type { Trial } from "../trials.ts";
import { rotateDatabasePassword, rotateKeyFile } from "./database.ts";
import { rotateCertificate, rotateServiceKeys } from "./services.ts";
import { rotateSecret } from "./signing.ts";

export const ROTATIONS: readonly Trial[] = [
  { name: "rotation of ATELIER_SECRET", isFlawless: true, run: rotateSecret },
  { name: "rotation of the service keys", isFlawless: true, run: rotateServiceKeys },
  { name: "rotation of the gRPC certificate", isFlawless: true, run: rotateCertificate },
  { name: "rotation of the MongoDB password", isFlawless: true, run: rotateDatabasePassword },
  { name: "rotation of the key file of the mongods", isFlawless: true, run: rotateKeyFile },
];

/** What else the topology has, and why it is left as it is. */
export const NOT_ROTATED =
  "Redis has no password in compose.yaml; the file store has one pair of keys, which its command reads at its start";
