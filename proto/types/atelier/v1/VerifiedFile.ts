// Original file: atelier/v1/jobs.proto

import type { CredentialsIssuerInput as _atelier_v1_CredentialsIssuerInput, CredentialsIssuer as _atelier_v1_CredentialsIssuer } from '../../atelier/v1/CredentialsIssuer.ts';
import type { CredentialsOriginInput as _atelier_v1_CredentialsOriginInput, CredentialsOrigin as _atelier_v1_CredentialsOrigin } from '../../atelier/v1/CredentialsOrigin.ts';
import type { CredentialsIngredientInput as _atelier_v1_CredentialsIngredientInput, CredentialsIngredient as _atelier_v1_CredentialsIngredient } from '../../atelier/v1/CredentialsIngredient.ts';
import type { CredentialsProblemInput as _atelier_v1_CredentialsProblemInput, CredentialsProblem as _atelier_v1_CredentialsProblem } from '../../atelier/v1/CredentialsProblem.ts';
import type { VerifiedOutputInput as _atelier_v1_VerifiedOutputInput, VerifiedOutput as _atelier_v1_VerifiedOutput } from '../../atelier/v1/VerifiedOutput.ts';
import type { Long } from '@grpc/proto-loader';

export interface VerifiedFileInput {
  /**
   * valid, other_issuer, invalid or none.
   */
  'state'?: (string);
  'sha256'?: (string);
  'bytes'?: (number | string | Long);
  'mime_type'?: (string);
  'signature_valid'?: (boolean);
  'bytes_match'?: (boolean);
  'issuer'?: (_atelier_v1_CredentialsIssuerInput | null);
  'generator'?: (string);
  'digital_source_type'?: (string);
  'origin'?: (_atelier_v1_CredentialsOriginInput | null);
  'ledger_agrees'?: (boolean);
  'ingredients'?: (_atelier_v1_CredentialsIngredientInput)[];
  'problems'?: (_atelier_v1_CredentialsProblemInput)[];
  'record'?: (_atelier_v1_VerifiedOutputInput | null);
  '_signature_valid'?: "signature_valid";
  '_bytes_match'?: "bytes_match";
  '_generator'?: "generator";
  '_digital_source_type'?: "digital_source_type";
  '_ledger_agrees'?: "ledger_agrees";
}

export interface VerifiedFile {
  /**
   * valid, other_issuer, invalid or none.
   */
  'state': (string);
  'sha256': (string);
  'bytes': (number);
  'mime_type': (string);
  'signature_valid'?: (boolean);
  'bytes_match'?: (boolean);
  'issuer': (_atelier_v1_CredentialsIssuer | null);
  'generator'?: (string);
  'digital_source_type'?: (string);
  'origin': (_atelier_v1_CredentialsOrigin | null);
  'ledger_agrees'?: (boolean);
  'ingredients': (_atelier_v1_CredentialsIngredient)[];
  'problems': (_atelier_v1_CredentialsProblem)[];
  'record': (_atelier_v1_VerifiedOutput | null);
}
