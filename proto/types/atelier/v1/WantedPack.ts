// Original file: atelier/v1/orders.proto


export interface WantedPackInput {
  'pack'?: (string);
}

export interface WantedPack {
  'pack': (string);
}
