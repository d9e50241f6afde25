// Interprets a report of the C2PA library: whether the credentials are valid, who signed them, and what they say. The report is about a
// file that anyone may have written, so every text is checked and shortened. This file is pure.
import { z } from "zod";
import type { VerifiedFile } from "../../../proto/resources/verified-file.ts";
import { GENERATION_LABEL } from "./manifest.ts";
import type { ManifestReport } from "./report.ts";

const MAX_TEXT = 200;
const MAX_LISTED = 20;
/** Characters that a name must not contain: invisible ones, and those that change the direction of the text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu;
const OF_BYTES = /^assertion\.(dataHash|bmffHash|boxesHash|collectionHash|multiAssetHash)\./;
const OTHERWISE = "The credentials do not follow the standard.";

/** How a certificate of this service is recognized. */
export type OwnIssuer = {
  /** The serial numbers, in decimal, of every certificate that signs here or has signed here. */
  readonly serialNumbers: ReadonlySet<string>;
  /** Whether its authority came with the certificate and is on no configured trust list. */
  readonly isSelfMade: boolean;
};

/** The verdict from the credentials alone; the rest of the response comes from the service's own data. */
export type Verdict = Pick<
  VerifiedFile,
  | "state"
  | "signature_valid"
  | "bytes_match"
  | "issuer"
  | "generator"
  | "digital_source_type"
  | "origin"
  | "ingredients"
  | "problems"
>;

const NOTHING: Verdict = {
  state: "none",
  signature_valid: null,
  bytes_match: null,
  issuer: null,
  generator: null,
  digital_source_type: null,
  origin: null,
  ingredients: [],
  problems: [],
};

const UNREADABLE = {
  code: "unreadable",
  message: "The file or its credentials are damaged, so that they cannot be read.",
};

const statusSchema = z.object({ code: z.string() });
const statusesSchema = z
  .object({ success: z.array(statusSchema).default([]), failure: z.array(statusSchema).default([]) })
  .default({ success: [], failure: [] });
const ingredientSchema = z.object({
  title: z.string().optional(),
  format: z.string().optional(),
  relationship: z.string().default(""),
  active_manifest: z.string().optional(),
  validation_results: z.object({ activeManifest: statusesSchema }).optional(),
  validation_status: z.array(statusSchema).optional(),
});
const manifestSchema = z.object({
  claim_generator: z.string().optional(),
  claim_generator_info: z.array(z.object({ name: z.string().optional() })).optional(),
  assertions: z.array(z.object({ label: z.string(), data: z.unknown() })).default([]),
  ingredients: z.array(ingredientSchema).default([]),
  signature_info: z
    .object({
      issuer: z.string().nullish(),
      common_name: z.string().nullish(),
      cert_serial_number: z.string().nullish(),
    })
    .optional(),
});
const storeSchema = z.object({
  active_manifest: z.string(),
  manifests: z.record(z.string(), manifestSchema),
  validation_state: z.string(),
  validation_results: z.object({ activeManifest: statusesSchema }),
});
type C2paManifest = z.output<typeof manifestSchema>;

/** The assertion of this service. Files of any age carry it, so fields are only ever added. */
const originSchema = z.object({
  job_id: z.string(),
  model_slug: z.string(),
  output_index: z.number().int().min(0),
  ledger_entry_id: z.string().nullish(),
  ledger_entry_hash: z.string().nullish(),
});

/** The library's reason if a file only names the URL of a manifest. Nothing is fetched for a third party's file. */
const MANIFEST_ELSEWHERE = /\bRemoteManifestUrl\b/;
/** The first bytes of the box with all manifests, in files of every format. */
const STORE_MARK = "jumdc2pa";

/** `carriesStore` says whether the file has any part of a manifest in it; it decides if the library could not read the file. */
export function verifyReport(
  report: ManifestReport | undefined,
  { carriesStore, ownIssuer }: { carriesStore: boolean; ownIssuer: OwnIssuer },
): Verdict {
  if (!report) return NOTHING;
  const { store, problem = "" } = report;
  if (!store && (!carriesStore || MANIFEST_ELSEWHERE.test(problem))) return NOTHING;
  const { data } = storeSchema.safeParse(store);
  const manifest = data?.manifests[data.active_manifest];
  if (!data || !manifest) return { ...NOTHING, state: "invalid", problems: [UNREADABLE] };
  const { validation_state: libraryState, validation_results: results } = data;
  const codes = codesOf(results.activeManifest);
  const isValid = libraryState !== "Invalid" && codes.failures.length === 0;
  const signatureHolds =
    codes.successes.includes("claimSignature.validated") && !codes.failures.some(isOfSignature);
  const issuer = issuerOf(manifest, ownIssuer, codes.successes.includes("signingCredential.trusted"));
  const isOwn = issuer?.is_this_service === true;
  const saysWhatWasSigned = signatureHolds && !codes.failures.some(isOfStatements);
  return {
    state: isValid ? (isOwn ? "valid" : "other_issuer") : "invalid",
    signature_valid: signatureHolds,
    bytes_match: bytesMatch(codes),
    issuer,
    generator: generatorOf(manifest),
    digital_source_type: sourceTypeOf(manifest),
    origin: isOwn && saysWhatWasSigned ? originOf(manifest) : null,
    ingredients: manifest.ingredients.slice(0, MAX_LISTED).map(toIngredient),
    problems: isValid ? [] : problemsOf(codes.failures),
  };
}

/** Whether the bytes contain any part of a manifest. */
export function carriesStore(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(STORE_MARK, 0, "latin1");
}

type Codes = { readonly successes: readonly string[]; readonly failures: readonly string[] };

/** An issuer that no one confirms is no fault of the file: `issuer` reports it. */
function codesOf({ success, failure }: z.output<typeof statusesSchema>): Codes {
  const failures = failure.map(({ code }) => code).filter((code) => code !== "signingCredential.untrusted");
  return { successes: success.map(({ code }) => code), failures };
}

const isOfSignature = (code: string): boolean => /^(claimSignature|signingCredential|claim)\./.test(code);
const isOfStatements = (code: string): boolean =>
  /^assertion\.(hashedURI\.mismatch|missing|undeclared|inaccessible|cbor|json)/.test(code);

function bytesMatch({ successes, failures }: Codes): boolean | null {
  if (failures.some((code) => OF_BYTES.test(code))) return false;
  return successes.some((code) => OF_BYTES.test(code)) ? true : null;
}

/** A certificate is the service's own if one of its authorities issued it and its serial number is known: names prove nothing. */
function issuerOf(
  { signature_info: signature }: C2paManifest,
  { serialNumbers, isSelfMade }: OwnIssuer,
  isTrusted: boolean,
): VerifiedFile["issuer"] {
  if (!signature) return null;
  const isOwn = isTrusted && serialNumbers.has(signature.cert_serial_number ?? "");
  return {
    name: cut(signature.common_name),
    organization: cut(signature.issuer),
    is_this_service: isOwn,
    is_trusted: isTrusted,
    is_self_made: isOwn ? isSelfMade : null,
  };
}

function generatorOf({ claim_generator_info: info, claim_generator: name }: C2paManifest): string | null {
  return cut(info?.[0]?.name ?? name);
}

const actionsSchema = z.object({
  actions: z.array(z.object({ action: z.string(), digitalSourceType: z.string().optional() })),
});

function sourceTypeOf({ assertions }: C2paManifest): string | null {
  for (const { label, data } of assertions) {
    if (!label.startsWith("c2pa.actions")) continue;
    const { data: read } = actionsSchema.safeParse(data);
    const told = read?.actions.find(({ digitalSourceType }) => digitalSourceType !== undefined);
    if (told) return cut(told.digitalSourceType);
  }
  return null;
}

function originOf({ assertions }: C2paManifest): VerifiedFile["origin"] {
  const { data } = originSchema.safeParse(assertions.find(({ label }) => label === GENERATION_LABEL)?.data);
  if (!data) return null;
  const { ledger_entry_id: entryId, ledger_entry_hash: entryHash, ...rest } = data;
  return { ...rest, ledger_entry_id: entryId ?? null, ledger_entry_hash: entryHash ?? null };
}

function toIngredient(ingredient: z.output<typeof ingredientSchema>): VerifiedFile["ingredients"][number] {
  const { title, format, relationship, active_manifest: manifest, validation_results: results } = ingredient;
  const failures = [...(results?.activeManifest.failure ?? []), ...(ingredient.validation_status ?? [])];
  const isInvalid = failures.some(({ code }) => code !== "signingCredential.untrusted");
  return {
    title: cut(title),
    relationship: cut(relationship) ?? "",
    mime_type: cut(format),
    state: manifest === undefined ? "none" : isInvalid ? "invalid" : "valid",
  };
}

/** From the most exact to the least. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [OF_BYTES, "The file was changed after it was signed: its bytes are not those that were signed."],
  [/^assertion\.hashedURI\./, "A statement in the credentials was changed after they were signed."],
  [/^claimSignature\.(mismatch|missing)/, "The signature does not belong to these credentials."],
  [
    /^(claimSignature\.outsideValidity|signingCredential\.expired)/,
    "The certificate of the signature is not valid at this time, and no time stamp shows that it was when the file was signed.",
  ],
  [/^signingCredential\./, "The certificate of the signature may not be used to sign files."],
  [/^(assertion|claim|manifest)\./, "The credentials are incomplete, or do not follow the standard."],
  [/^ingredient\./, "The credentials of an ingredient of this file are invalid."],
];

function problemsOf(failures: readonly string[]): VerifiedFile["problems"] {
  const codes = [...new Set(failures)].slice(0, MAX_LISTED);
  if (codes.length === 0) return [UNREADABLE];
  return codes.map((code) => ({
    code: cut(code) ?? "",
    message: MEANINGS.find(([pattern]) => pattern.test(code))?.[1] ?? OTHERWISE,
  }));
}

/** A text of the file as it may be shown; null if nothing of it is left. */
function cut(text: string | null | undefined): string | null {
  const seen = (text ?? "")
    .slice(0, MAX_TEXT * 2)
    .replace(UNSEEN, "")
    .trim();
  return [...seen].slice(0, MAX_TEXT).join("") || null;
}
