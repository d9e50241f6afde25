// The texts of the Verify page about a file with Content Credentials. Text from the file is always escaped.
import type { CredentialsState, VerifiedFile } from "../../../proto/resources/verified-file.ts";
import type { VerifiedOutput } from "../../../proto/resources/verified-output.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { notice, type Tone } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { timeOf } from "../design/time.ts";
import type { ModelName } from "./model-names.ts";

type Outcome = { readonly tone: Tone; readonly title: string; readonly body: string };

const OUTCOMES: Readonly<Record<CredentialsState, Outcome>> = {
  valid: {
    tone: "success",
    title: "The credentials hold",
    body: "This service signed the file, and the file has not changed since.",
  },
  other_issuer: {
    tone: "info",
    title: "Signed by another issuer",
    body: "The file has not changed since it was signed, but this service did not sign it. The name of the issuer is what the certificate says; it proves something only if you trust the authority behind it.",
  },
  invalid: {
    tone: "danger",
    title: "The credentials do not hold",
    body: "Do not rely on what the file says about itself.",
  },
  none: {
    tone: "info",
    title: "No Content Credentials",
    body: "The file carries none, so it says nothing that could be checked. That does not show who made it, or how: many programs and sites remove credentials.",
  },
};

/** By the last segment of the IPTC address. */
const SOURCE_WORDS: Readonly<Record<string, string>> = {
  trainedAlgorithmicMedia: "Made by a generative AI model",
  compositeWithTrainedAlgorithmicMedia: "Made from other files with a generative AI model",
  algorithmicMedia: "Made by an algorithm that no data trained",
  algorithmicallyEnhanced: "A file that an algorithm changed",
  digitalCapture: "Taken with a digital camera",
  digitalCreation: "Made by a person with software",
  humanEdits: "Edited by a person",
};
const INGREDIENT_WORDS = { valid: "Hold", invalid: "Do not hold", none: "None" } as const;
const ROLE_WORDS: Readonly<Record<string, string>> = {
  parentOf: "Changed into this file",
  componentOf: "Part of this file",
  inputTo: "Given to the model",
};

export function fileOutcome(file: VerifiedFile, modelName: ModelName): Markup {
  const { tone, title, body } = OUTCOMES[file.state];
  return html`<section class="stack" id="verify-outcome" aria-label="Result">
    ${notice({
      tone,
      title,
      body: html`<p>${body}</p>
        ${problems(file)}`,
    })}
    ${file.record.made && recordOutcome(file.record, modelName)}
    <dl class="fact-rows">
      ${file.issuer !== null && issuerInfo(file.issuer)}
      ${fact("Signature", yesOrNo(file.signature_valid, "Valid", "Not valid"))}
      ${fact("Bytes", yesOrNo(file.bytes_match, "Those that were signed", "Changed after signing"))}
      ${fact("How it was made", sourceWords(file.digital_source_type))}
      ${fact("Credentials written by", file.generator)} ${originInfo(file, modelName)}
      ${fact("SHA-256 of the file", code(file.sha256))}
    </dl>
    ${file.ingredients.length > 0 && ingredients(file.ingredients)}
  </section>`;
}

/** For a digest: whether a job here made exactly these bytes. */
export function recordOutcome(
  { made, made_at, modality, model_slug, ledger_entry_hash: hash }: VerifiedOutput,
  modelName: ModelName,
): Markup {
  if (!made || !made_at)
    return notice({
      tone: "info",
      title: "Not known here",
      body: "None of the files that are still kept here is exactly like this one.",
    });
  return notice({
    tone: "success",
    title: "Made here",
    body: html`This ${modality ?? "file"} was made by
    ${model_slug === null ? "a model" : modelName(model_slug)} and finished on${" "} ${timeOf(made_at)}.
    ${hash !== null && html`Its ledger entry has the hash <code>${hash}</code>.`}`,
  });
}

function problems({ problems: list }: VerifiedFile): Children {
  const messages = [...new Set(list.map(({ message }) => message))];
  return (
    messages.length > 0 &&
    html`<ul>
      ${messages.map((message) => html`<li>${message}</li>`)}
    </ul>`
  );
}

function issuerInfo(issuer: NonNullable<VerifiedFile["issuer"]>): Markup {
  const { name, organization } = issuer;
  const named = [name, organization].filter((part) => part !== null);
  return html`${fact("Signed by", named.length > 0 ? [...new Set(named)].join(", ") : "No name given")}
  ${fact("Certificate", certificateWords(issuer))}`;
}

function certificateWords(issuer: NonNullable<VerifiedFile["issuer"]>): string {
  if (issuer.is_self_made)
    return "This service's own, from an authority of its operator's own. It is on no public trust list, so other software calls the issuer unknown.";
  if (issuer.is_this_service) return "This service's own";
  return issuer.is_trusted
    ? "Of another issuer, from an authority on this service's trust list"
    : "Of another issuer, from an authority that this service does not know";
}

function originInfo({ origin, ledger_agrees: agrees }: VerifiedFile, modelName: ModelName): Children {
  if (!origin) return false;
  return html`${fact("Job", code(origin.job_id))} ${fact("Model", modelName(origin.model_slug))}
  ${fact("Ledger entry", code(origin.ledger_entry_id))}
  ${fact("Hash of the entry", code(origin.ledger_entry_hash))}
  ${fact(
    "Ledger here",
    agrees === null
      ? "The entry is not found any more"
      : agrees
        ? "Has the same entry"
        : "Has another entry under this id",
  )}`;
}

function ingredients(list: VerifiedFile["ingredients"]): Markup {
  return table({
    caption: "Files that it was made from",
    columns: ["File", "Role", "Its credentials"],
    rows: list.map(({ title, relationship, mime_type: type, state }) => [
      title ?? type ?? "No name given",
      ROLE_WORDS[relationship] ?? relationship,
      INGREDIENT_WORDS[state],
    ]),
  });
}

function sourceWords(address: string | null): string | null {
  if (address === null) return null;
  return SOURCE_WORDS[address.split("/").at(-1) ?? ""] ?? address;
}

function code(text: string | null): Markup | null {
  return text === null ? null : html`<code>${text}</code>`;
}

function yesOrNo(value: boolean | null, yes: string, no: string): string | null {
  return value === null ? null : value ? yes : no;
}

function fact(name: string, value: Children | null): Markup | false {
  if (value === null) return false;
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
