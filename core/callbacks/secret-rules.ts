// Decisions about the secrets that sign callbacks: which header is keyed with which, and what each step of a rotation does. Pure.
import type { SigningSecrets } from "./sign.ts";

/** The secrets of an account, as they are kept. */
export type Secrets = {
  /** The newest. */
  readonly secret: string;
  /** The one before it, while a rotation is under way and afterwards. */
  readonly previous: string | null;
  /** When the previous one is dropped. */
  readonly previous_until: Date | null;
  /** When x-service-signature changes to the newest. Rotations from before there were two steps have none: it changed at the end. */
  readonly switches_at?: Date | null;
  /** Whether the owner was ever given `secret`. One that nobody knows needs no overlap. */
  readonly revealed: boolean;
};

const HOUR_MS = 60 * 60 * 1000;
/** An owner who forgets the second step has it done for them. */
const SWITCH_AFTER_MS = 24 * HOUR_MS;
/** The old secret stays in webhook-signature for as long after the switch, for receivers that are slow to change. */
const DROP_AFTER_MS = 24 * HOUR_MS;

/** A secret that its owner has not seen, for an account that had none when a message had to be signed. */
export function firstSecret(secret: string, revealed: boolean): Secrets {
  return { secret, previous: null, previous_until: null, switches_at: null, revealed };
}

/** What is true of a rotation at `now`: null where that time has passed or there is none. */
export function rotationOf(
  secrets: Secrets,
  now: Date,
): { switchesAt: Date | null; previousUntil: Date | null } {
  const future = (at: Date | null | undefined) => (at && at > now ? at : null);
  if (secrets.previous === null) return { switchesAt: null, previousUntil: null };
  const switchesAt = secrets.switches_at === undefined ? secrets.previous_until : secrets.switches_at;
  return { switchesAt: future(switchesAt), previousUntil: future(secrets.previous_until) };
}

/** What a message sent at `at` is signed with. */
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
 * The first step. Receivers hold the secret that x-service-signature is keyed with, so that one stays beside the new one: before the
 * switch a second first step replaces the new secret only. A secret that nobody was shown is replaced at once.
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

/** The second step; undefined when none is waited for. */
export function switchSecret(secrets: Secrets | null, now: Date): Secrets | undefined {
  if (!secrets || rotationOf(secrets, now).switchesAt === null) return undefined;
  return { ...secrets, switches_at: now, previous_until: new Date(now.getTime() + DROP_AFTER_MS) };
}
