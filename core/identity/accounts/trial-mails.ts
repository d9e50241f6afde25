// Mails about a trial: its contents, its end, and what happens then. Pure.
import type { LocalTimes } from "../../../runtime/local-times.ts";

type Words = {
  /** The plan's name. */
  readonly name: string;
  readonly until: Date;
  readonly times: LocalTimes;
  readonly baseUrl: string;
};
type TrialMail = { kind: string; subject: string; text: string };

export function startedMail({ name, until, times, baseUrl }: Words): TrialMail {
  return {
    kind: "trial.started",
    subject: `Your trial of ${name} has begun`,
    text: `Until ${times.day(until)} you can call the API and run as many jobs at the same time as on ${name}. Your credits stay those of your own plan.

The trial costs nothing and needs no card. It ends on its own: then your account is back on its own plan, and API keys are refused.

Create a key: ${baseUrl}/account/keys
`,
  };
}

export function reminderMail({ name, until, times, baseUrl }: Words): TrialMail {
  return {
    kind: "trial.ending",
    subject: `Your trial of ${name} ends on ${times.day(until)}`,
    text: `Your trial of ${name} ends on ${times.time(until)}. From then on API keys are refused, unless your plan includes the API by then. Nothing is charged, and your work and your credits stay.

See the plans: ${baseUrl}/account/plan
`,
  };
}
