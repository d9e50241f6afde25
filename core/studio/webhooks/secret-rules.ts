// Decisions about the secrets that sign callbacks: which secret signs which header, and what each step of a rotation does. This file is
// pure.
import type { SigningSecrets } from "./sign.ts";

/** The secrets of an account, as stored. */
export type Secrets = {
  /** The newest. */
  readonly secret: string;
  /** The secret before it, during a rotation and afterwards. */
  readonly previous: string | null;
  /** When the previous secret stops signing. */
  readonly previous_until: Date | null;
  /**
   * When x-service-signature changes to the newest secret. Absent from rotations from before there were two steps: there it changed at the
   * end.
   */
  readonly switches_at?: Date | null;
  /** Whether the owner was ever shown `secret`. A secret that no one knows needs no overlap. */
  readonly revealed: boolean;
};

const HOUR_MS = 60 * 60 * 1000;
/** If the owner forgets the second step, it happens automatically after this time. */
const SWITCH_AFTER_MS = 24 * HOUR_MS;
/** The old secret stays in webhook-signature for this long after the switch, for receivers that are slow to change. */
const DROP_AFTER_MS = 24 * HOUR_MS;

/** A secret that its owner has not seen, for an account without one when a message must be signed. */
export function firstSecret(secret: string, revealed: boolean): Secrets {
  return { secret, previous: null, previous_until: null, switches_at: null, revealed };
}

/** The state of a rotation at `now`: a time that has passed, or that does not exist, is null. */
export function rotationOf(
  secrets: Secrets,
  now: Date,
): { switchesAt: Date | null; previousUntil: Date | null } {
  const future = (at: Date | null | undefined) => (at && at > now ? at : null);
  if (secrets.previous === null) return { switchesAt: null, previousUntil: null };
  const switchesAt = secrets.switches_at === undefined ? secrets.previous_until : secrets.switches_at;
  return { switchesAt: future(switchesAt), previousUntil: future(secrets.previous_until) };
}

/** The secrets that sign a message sent at `at`. */
export function signingSecrets(secrets: Secrets, at: Date): SigningSecrets {
  const { switchesAt, previousUntil } = rotationOf(secrets, at);
  if (secrets.previous === null || previousUntil === null)
    return { plain: secrets.secret, standard: [secrets.secret] };
  return {
    plain: switchesAt === null ? secrets.secret : secrets.previous,
    standard: [secrets.secret, secrets.previous],
  };
}

/**
 * The first step of a rotation. Receivers have the secret that signs x-service-signature, so it stays in use beside the new one. Repeating
 * this step before the switch replaces only the new secret. A secret that no one was shown is replaced immediately.
 */
export function createSecret(secrets: Secrets | null, secret: string, now: Date): Secrets {
  if (!secrets?.revealed) return firstSecret(secret, true);
  const switchesAt = new Date(now.getTime() + SWITCH_AFTER_MS);
  return {
    secret,
    previous: signingSecrets(secrets, now).plain,
    previous_until: new Date(switchesAt.getTime() + DROP_AFTER_MS),
    switches_at: switchesAt,
    revealed: true,
  };
}

/** The second step of a rotation; undefined if no rotation waits for it. */
export function switchSecret(secrets: Secrets | null, now: Date): Secrets | undefined {
  if (!secrets || rotationOf(secrets, now).switchesAt === null) return undefined;
  return { ...secrets, switches_at: now, previous_until: new Date(now.getTime() + DROP_AFTER_MS) };
}
