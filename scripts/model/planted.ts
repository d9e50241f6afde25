// Bugs of the money protocol, planted one at a time: in the model, and in a copy of the code.
import { type Patch, replaceOnce } from "./replay.ts";

const RULES = "core/studio/jobs/rules.ts";

type ModelBug = { readonly name: string; readonly from: string; readonly to: string };
type CodeBug = { readonly name: string; readonly patches: readonly Patch[] };

export function plantedIn(model: string, { from, to }: ModelBug): string {
  return replaceOnce(model, from, to);
}

export const MODEL_BUGS: readonly ModelBug[] = [
  {
    name: "a hold without an entry",
    from: "entries: job.entries.append(entry)",
    to: 'entries: if (kind == "reserve") job.entries else job.entries.append(entry)',
  },
  {
    name: "a second debit after a rescue",
    from: "save(b, j, { ...job, epoch: job.epoch + 1",
    to: 'save(post(b, j, "debit", job.price), j, { ...job, epoch: job.epoch + 1',
  },
  {
    name: "a stale worker that finalizes",
    from: " and job.epoch == task.epoch and job.worker == k._1\n",
    to: "\n",
  },
  {
    name: "a release after a debit",
    from: 'val result = if (isUnclaimed(job.state)) "released"',
    to: 'val result = if (isUnclaimed(job.state) or job.state == "running") "released"',
  },
  {
    name: "a partial return above the difference",
    from: 'post(b, j, "refund", job.price - charged)',
    to: 'post(b, j, "refund", job.price)',
  },
  {
    name: "a claim of an expired job",
    from: 'val inTime = places(job => job.state == "waiting" and not(job.overdue))',
    to: 'val inTime = places(job => job.state == "waiting")',
  },
  {
    name: "a step that does not wait for what it needs",
    from: 'else if (job.state == "blocked" and needs == "completed")',
    to: 'else if (job.state == "blocked")',
  },
  {
    name: "a workflow that holds its first step only",
    from: "...both, flows: books.flows.append(flow)",
    to: "...both, held: first.held, flows: books.flows.append(flow)",
  },
  {
    name: "a second call to a provider that may be called once",
    from: "(task.epoch == 1 or (job.repeats and task.epoch <= MAX_RESCUES + 1))",
    to: "task.epoch <= MAX_RESCUES + 1",
  },
  {
    name: "an accept that spends held credits",
    from: "val fits = books.balance - books.held >= price",
    to: "val fits = books.balance >= price",
  },
];

export const CODE_BUGS: readonly CodeBug[] = [
  {
    name: "a hold without an entry",
    patches: [
      [
        "core/studio/jobs/write.ts",
        "    this.#entries.push(...entries);\n  }\n\n  /** Adds the Idem",
        "    void entries;\n  }\n\n  /** Adds the Idem",
      ],
    ],
  },
  {
    name: "a second debit after a rescue",
    patches: [
      [
        "core/studio/runs/rescue.ts",
        "      writes.change(change);\n",
        "      writes.change(change);\n      const paid = accounts.get(job.account_id)?.account;\n      if (paid) writes.account({ ...paid, balance: paid.balance - job.credits });\n",
      ],
    ],
  },
  {
    name: "a stale worker that finalizes",
    patches: [
      [
        "core/studio/jobs/store-changes.ts",
        'return { epoch: guard.epoch, state: "running" as const, "lease.worker": guard.worker };',
        'return { state: "running" as const };',
      ],
    ],
  },
  {
    name: "a release after a debit",
    patches: [
      [
        "core/studio/jobs/cancel-rules.ts",
        'if (canStop(job, provider)) return "request";',
        'if (canStop(job, provider)) return "release";',
      ],
      ["core/studio/jobs/cancel.ts", 'jobs.filter(({ state }) => state === "reserved")', "jobs"],
      [
        RULES,
        '  assertIs("reserved", job);\n  const { head, entry } = postEntry(account, jobIntent(job, "release", at));',
        '  const { head, entry } = postEntry(account, jobIntent(job, "release", at));',
      ],
    ],
  },
  {
    name: "a partial return above the difference",
    patches: [[RULES, "const credits = job.credits - charged;", "const credits = job.credits;"]],
  },
  {
    name: "a claim of an expired job",
    patches: [
      [
        "core/studio/jobs/store-queue.ts",
        "({ queue_deadline: { $gt: at } })",
        "({ queue_deadline: { $ne: null, $lt: new Date(at.getTime() * 2) } })",
      ],
      ["core/studio/runs/claim.ts", " || job.queue_deadline <= at) continue;", ") continue;"],
    ],
  },
  {
    name: "a step that does not wait for what it needs",
    patches: [
      [
        "core/studio/workflows/rules.ts",
        'const mayBegin = needs.every((need) => steps[need]?.standing === "completed");',
        "const mayBegin = needs.length < 20;",
      ],
    ],
  },
  {
    name: "a workflow that holds its first step only",
    patches: [
      [
        "core/studio/workflows/accept.ts",
        "writes.insert(accepted.account, accepted.job, [accepted.entry]);",
        "if (job.queue_deadline) writes.insert(accepted.account, accepted.job, [accepted.entry]);\n      else writes.insert(writes.current(loaded).account, accepted.job, []);",
      ],
    ],
  },
  {
    name: "a failure without a refund",
    patches: [
      [
        "core/studio/runs/finalize.ts",
        "            : refundJob(account, job, claim, unmadeBy(outcome), tx.now),",
        "            : { ...refundJob(account, job, claim, unmadeBy(outcome), tx.now), account: account.account },",
      ],
    ],
  },
  {
    name: "a rescue that keeps the fencing token",
    patches: [
      [
        RULES,
        "set: { epoch: job.epoch + 1, lease, rescues: job.rescues + 1 }",
        "set: { epoch: job.epoch, lease, rescues: job.rescues + 1 }",
      ],
      ["core/studio/runs/rescue.ts", "epoch: job.epoch + 1,", "epoch: job.epoch,"],
    ],
  },
];
