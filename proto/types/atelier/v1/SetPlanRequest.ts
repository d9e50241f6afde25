// Original file: atelier/v1/admin.proto


export interface SetPlanRequestInput {
  'account'?: (string);
  'plan'?: (string);
}

export interface SetPlanRequest {
  'account': (string);
  'plan': (string);
}
