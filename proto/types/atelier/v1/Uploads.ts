// Original file: atelier/v1/uploads.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateUploadAddressRequestInput as _atelier_v1_CreateUploadAddressRequestInput, CreateUploadAddressRequest as _atelier_v1_CreateUploadAddressRequest } from '../../atelier/v1/CreateUploadAddressRequest.ts';
import type { DeletedUploadInput as _atelier_v1_DeletedUploadInput, DeletedUpload as _atelier_v1_DeletedUpload } from '../../atelier/v1/DeletedUpload.ts';
import type { UploadInput as _atelier_v1_UploadInput, Upload as _atelier_v1_Upload } from '../../atelier/v1/Upload.ts';
import type { UploadAddressInput as _atelier_v1_UploadAddressInput, UploadAddress as _atelier_v1_UploadAddress } from '../../atelier/v1/UploadAddress.ts';
import type { UploadPartInput as _atelier_v1_UploadPartInput, UploadPart as _atelier_v1_UploadPart } from '../../atelier/v1/UploadPart.ts';
import type { UploadRequestInput as _atelier_v1_UploadRequestInput, UploadRequest as _atelier_v1_UploadRequest } from '../../atelier/v1/UploadRequest.ts';

/**
 * Files that an account brings to be the input of its jobs. Another account's looks exactly like one that does not exist: upload_not_found.
 */
export interface UploadsClient extends grpc.Client {
  /**
   * The first part says to what the bytes belong; without upload_id it is a new upload. Refused as soon as anything is wrong with them.
   */
  AddUpload(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  AddUpload(metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  AddUpload(options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  AddUpload(callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  /**
   * The first part says to what the bytes belong; without upload_id it is a new upload. Refused as soon as anything is wrong with them.
   */
  addUpload(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  addUpload(metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  addUpload(options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  addUpload(callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientWritableStream<_atelier_v1_UploadPartInput>;
  
  /**
   * An address that takes one file, once, for fifteen minutes.
   */
  CreateUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  CreateUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  CreateUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  CreateUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  /**
   * An address that takes one file, once, for fifteen minutes.
   */
  createUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  createUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  createUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  createUploadAddress(argument: _atelier_v1_CreateUploadAddressRequestInput, callback: grpc.requestCallback<_atelier_v1_UploadAddress>): grpc.ClientUnaryCall;
  
  /**
   * A job that was accepted with it keeps its file for as long as it may run.
   */
  DeleteUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  DeleteUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  DeleteUpload(argument: _atelier_v1_UploadRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  DeleteUpload(argument: _atelier_v1_UploadRequestInput, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  /**
   * A job that was accepted with it keeps its file for as long as it may run.
   */
  deleteUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  deleteUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  deleteUpload(argument: _atelier_v1_UploadRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  deleteUpload(argument: _atelier_v1_UploadRequestInput, callback: grpc.requestCallback<_atelier_v1_DeletedUpload>): grpc.ClientUnaryCall;
  
  /**
   * The file was sent to an address of the object store: it is looked at and kept.
   */
  FinishUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  FinishUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  FinishUpload(argument: _atelier_v1_UploadRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  FinishUpload(argument: _atelier_v1_UploadRequestInput, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  /**
   * The file was sent to an address of the object store: it is looked at and kept.
   */
  finishUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  finishUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  finishUpload(argument: _atelier_v1_UploadRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  finishUpload(argument: _atelier_v1_UploadRequestInput, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  
  GetUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  GetUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  GetUpload(argument: _atelier_v1_UploadRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  GetUpload(argument: _atelier_v1_UploadRequestInput, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  getUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  getUpload(argument: _atelier_v1_UploadRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  getUpload(argument: _atelier_v1_UploadRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  getUpload(argument: _atelier_v1_UploadRequestInput, callback: grpc.requestCallback<_atelier_v1_Upload>): grpc.ClientUnaryCall;
  
}

/**
 * Files that an account brings to be the input of its jobs. Another account's looks exactly like one that does not exist: upload_not_found.
 */
export interface UploadsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * The first part says to what the bytes belong; without upload_id it is a new upload. Refused as soon as anything is wrong with them.
   */
  AddUpload: grpc.handleClientStreamingCall<_atelier_v1_UploadPart, _atelier_v1_UploadInput>;
  
  /**
   * An address that takes one file, once, for fifteen minutes.
   */
  CreateUploadAddress: grpc.handleUnaryCall<_atelier_v1_CreateUploadAddressRequest, _atelier_v1_UploadAddressInput>;
  
  /**
   * A job that was accepted with it keeps its file for as long as it may run.
   */
  DeleteUpload: grpc.handleUnaryCall<_atelier_v1_UploadRequest, _atelier_v1_DeletedUploadInput>;
  
  /**
   * The file was sent to an address of the object store: it is looked at and kept.
   */
  FinishUpload: grpc.handleUnaryCall<_atelier_v1_UploadRequest, _atelier_v1_UploadInput>;
  
  GetUpload: grpc.handleUnaryCall<_atelier_v1_UploadRequest, _atelier_v1_UploadInput>;
  
}

export interface UploadsDefinition extends grpc.ServiceDefinition {
  AddUpload: MethodDefinition<_atelier_v1_UploadPartInput, _atelier_v1_UploadInput, _atelier_v1_UploadPart, _atelier_v1_Upload>
  CreateUploadAddress: MethodDefinition<_atelier_v1_CreateUploadAddressRequestInput, _atelier_v1_UploadAddressInput, _atelier_v1_CreateUploadAddressRequest, _atelier_v1_UploadAddress>
  DeleteUpload: MethodDefinition<_atelier_v1_UploadRequestInput, _atelier_v1_DeletedUploadInput, _atelier_v1_UploadRequest, _atelier_v1_DeletedUpload>
  FinishUpload: MethodDefinition<_atelier_v1_UploadRequestInput, _atelier_v1_UploadInput, _atelier_v1_UploadRequest, _atelier_v1_Upload>
  GetUpload: MethodDefinition<_atelier_v1_UploadRequestInput, _atelier_v1_UploadInput, _atelier_v1_UploadRequest, _atelier_v1_Upload>
}
