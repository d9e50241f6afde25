// A file's Content Credentials, and whether they are valid.

/** The outcome of one check, with the C2PA specification's name: `assertion.dataHash.mismatch`. */
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
    /** RFC 3339; absent if no time-stamping authority confirms the time. */
    readonly time?: string;
  };
};

/** The manifest store in the library's JSON. It may have more fields than these. */
export type ManifestStore = {
  readonly active_manifest?: string;
  readonly manifests: Readonly<Record<string, C2paManifest>>;
  readonly validation_state: "Invalid" | "Valid" | "Trusted";
  /** The checks that failed. */
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
  /**
   * `trusted`: everything is valid, and the signer's authority is known here. `valid`: everything is valid, but the authority is not known.
   */
  readonly state: "invalid" | "valid" | "trusted";
  /** Why nothing could be read although there is a manifest, in the library's text. */
  readonly problem?: string;
  readonly store: ManifestStore | undefined;
};

export function toReport(json: string): ManifestReport {
  const store = JSON.parse(json) as ManifestStore;
  const states = { Invalid: "invalid", Valid: "valid", Trusted: "trusted" } as const;
  return { state: states[store.validation_state] ?? "invalid", store };
}
