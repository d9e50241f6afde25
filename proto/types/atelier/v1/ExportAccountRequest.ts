// Original file: atelier/v1/accounts.proto


export interface ExportAccountRequestInput {
}

export interface ExportAccountRequest {
}
