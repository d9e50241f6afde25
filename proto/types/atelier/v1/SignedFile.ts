// Original file: atelier/v1/library.proto

import type { SignedAccessInput as _atelier_v1_SignedAccessInput, SignedAccess as _atelier_v1_SignedAccess } from '../../atelier/v1/SignedAccess.ts';

export interface SignedFileInput {
  'access'?: (_atelier_v1_SignedAccessInput | null);
  'expires_at'?: (string);
}

export interface SignedFile {
  'access': (_atelier_v1_SignedAccess | null);
  'expires_at': (string);
}
