// Original file: atelier/v1/admin.proto

import type { AuditFindingInput as _atelier_v1_AuditFindingInput, AuditFinding as _atelier_v1_AuditFinding } from '../../atelier/v1/AuditFinding.ts';
import type { Long } from '@grpc/proto-loader';

export interface AuditReportInput {
  'accounts'?: (number | string | Long);
  'entries'?: (number | string | Long);
  'jobs'?: (number | string | Long);
  'findings'?: (_atelier_v1_AuditFindingInput)[];
  'done'?: (boolean);
}

export interface AuditReport {
  'accounts': (number);
  'entries': (number);
  'jobs': (number);
  'findings': (_atelier_v1_AuditFinding)[];
  'done': (boolean);
}
