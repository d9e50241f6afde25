// What a file's Content Credentials say, and whether it is so.

/** An outcome of one check, as the C2PA specification names it: `assertion.dataHash.mismatch`. */
export type ValidationStatus = {
  readonly code: string;
  readonly url?: string;
  readonly explanation?: string;
};

export type ManifestAssertion = { readonly label: string; readonly data: unknown };

export type C2paManifest = {
  readonly label?: string;
  readonly title?: string;
  readonly assertions?: readonly ManifestAssertion[];
  readonly ingredients?: readonly {
    readonly title?: string;
    readonly relationship?: string;
    /** The manifest that came with it, by its label in `manifests`. */
    readonly active_manifest?: string;
  }[];
  readonly signature_info?: {
    readonly alg?: string;
    /** The organization of the signing certificate. */
    readonly issuer?: string;
    readonly common_name?: string;
    readonly cert_serial_number?: string;
    /** RFC 3339; absent where no time-stamping authority vouches for the time. */
    readonly time?: string;
  };
};

/** The manifest store in the library's JSON; more fields than these may come. */
export type ManifestStore = {
  readonly active_manifest?: string;
  readonly manifests: Readonly<Record<string, C2paManifest>>;
  readonly validation_state: "Invalid" | "Valid" | "Trusted";
  /** What failed. */
  readonly validation_status?: readonly ValidationStatus[];
  readonly validation_results?: {
    readonly activeManifest?: {
      readonly success: readonly ValidationStatus[];
      readonly informational: readonly ValidationStatus[];
      readonly failure: readonly ValidationStatus[];
    };
  };
};

export type ManifestReport = {
  /** `trusted`: all holds, and the signer's authority is known here. `valid`: all holds, but the authority is not known. */
  readonly state: "invalid" | "valid" | "trusted";
  /** Why nothing could be read although there is a manifest; in the library's words. */
  readonly problem?: string;
  readonly store: ManifestStore | undefined;
};

export function toReport(json: string): ManifestReport {
  const store = JSON.parse(json) as ManifestStore;
  const states = { Invalid: "invalid", Valid: "valid", Trusted: "trusted" } as const;
  return { state: states[store.validation_state] ?? "invalid", store };
}
