// Original file: atelier/v1/admin.proto


export interface DeadReceiverInput {
  'host'?: (string);
  'deliveries'?: (number);
}

export interface DeadReceiver {
  'host': (string);
  'deliveries': (number);
}
