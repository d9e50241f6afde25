// Original file: atelier/v1/library.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DescribeFilesReplyInput as _atelier_v1_DescribeFilesReplyInput, DescribeFilesReply as _atelier_v1_DescribeFilesReply } from '../../atelier/v1/DescribeFilesReply.ts';
import type { DescribeFilesRequestInput as _atelier_v1_DescribeFilesRequestInput, DescribeFilesRequest as _atelier_v1_DescribeFilesRequest } from '../../atelier/v1/DescribeFilesRequest.ts';
import type { ListDownloadsReplyInput as _atelier_v1_ListDownloadsReplyInput, ListDownloadsReply as _atelier_v1_ListDownloadsReply } from '../../atelier/v1/ListDownloadsReply.ts';
import type { ListDownloadsRequestInput as _atelier_v1_ListDownloadsRequestInput, ListDownloadsRequest as _atelier_v1_ListDownloadsRequest } from '../../atelier/v1/ListDownloadsRequest.ts';
import type { ListLibraryReplyInput as _atelier_v1_ListLibraryReplyInput, ListLibraryReply as _atelier_v1_ListLibraryReply } from '../../atelier/v1/ListLibraryReply.ts';
import type { ListLibraryRequestInput as _atelier_v1_ListLibraryRequestInput, ListLibraryRequest as _atelier_v1_ListLibraryRequest } from '../../atelier/v1/ListLibraryRequest.ts';
import type { ReadProductFileChunkInput as _atelier_v1_ReadProductFileChunkInput, ReadProductFileChunk as _atelier_v1_ReadProductFileChunk } from '../../atelier/v1/ReadProductFileChunk.ts';
import type { ReadProductFileRequestInput as _atelier_v1_ReadProductFileRequestInput, ReadProductFileRequest as _atelier_v1_ReadProductFileRequest } from '../../atelier/v1/ReadProductFileRequest.ts';
import type { SignFileRequestInput as _atelier_v1_SignFileRequestInput, SignFileRequest as _atelier_v1_SignFileRequest } from '../../atelier/v1/SignFileRequest.ts';
import type { SignedFileInput as _atelier_v1_SignedFileInput, SignedFile as _atelier_v1_SignedFile } from '../../atelier/v1/SignedFile.ts';

/**
 * What a person has licences of, and the files that come with them. For the signed-in person only; a signed link needs no caller.
 * A file that is not the caller's to have looks exactly like one that does not exist: not_found.
 */
export interface LibraryClient extends grpc.Client {
  /**
   * What a product comes as, for whoever may want it: its public facts, no way to the bytes. Needs no caller. Nothing where no such product
   * is public.
   */
  DescribeFiles(argument: _atelier_v1_DescribeFilesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  DescribeFiles(argument: _atelier_v1_DescribeFilesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  DescribeFiles(argument: _atelier_v1_DescribeFilesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  DescribeFiles(argument: _atelier_v1_DescribeFilesRequestInput, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  /**
   * What a product comes as, for whoever may want it: its public facts, no way to the bytes. Needs no caller. Nothing where no such product
   * is public.
   */
  describeFiles(argument: _atelier_v1_DescribeFilesRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  describeFiles(argument: _atelier_v1_DescribeFilesRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  describeFiles(argument: _atelier_v1_DescribeFilesRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  describeFiles(argument: _atelier_v1_DescribeFilesRequestInput, callback: grpc.requestCallback<_atelier_v1_DescribeFilesReply>): grpc.ClientUnaryCall;
  
  /**
   * What the account downloaded, newest first.
   */
  ListDownloads(argument: _atelier_v1_ListDownloadsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  ListDownloads(argument: _atelier_v1_ListDownloadsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  ListDownloads(argument: _atelier_v1_ListDownloadsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  ListDownloads(argument: _atelier_v1_ListDownloadsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  /**
   * What the account downloaded, newest first.
   */
  listDownloads(argument: _atelier_v1_ListDownloadsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  listDownloads(argument: _atelier_v1_ListDownloadsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  listDownloads(argument: _atelier_v1_ListDownloadsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  listDownloads(argument: _atelier_v1_ListDownloadsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListDownloadsReply>): grpc.ClientUnaryCall;
  
  /**
   * Licences with the files of their products, newest first. Revoked ones have no files.
   */
  ListLibrary(argument: _atelier_v1_ListLibraryRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  ListLibrary(argument: _atelier_v1_ListLibraryRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  ListLibrary(argument: _atelier_v1_ListLibraryRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  ListLibrary(argument: _atelier_v1_ListLibraryRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  /**
   * Licences with the files of their products, newest first. Revoked ones have no files.
   */
  listLibrary(argument: _atelier_v1_ListLibraryRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  listLibrary(argument: _atelier_v1_ListLibraryRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  listLibrary(argument: _atelier_v1_ListLibraryRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  listLibrary(argument: _atelier_v1_ListLibraryRequestInput, callback: grpc.requestCallback<_atelier_v1_ListLibraryReply>): grpc.ClientUnaryCall;
  
  /**
   * The head, then the bytes. The licence is asked for again while bytes flow: one that is revoked meanwhile ends them with not_found.
   */
  ReadProductFile(argument: _atelier_v1_ReadProductFileRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadProductFileChunk>;
  ReadProductFile(argument: _atelier_v1_ReadProductFileRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadProductFileChunk>;
  /**
   * The head, then the bytes. The licence is asked for again while bytes flow: one that is revoked meanwhile ends them with not_found.
   */
  readProductFile(argument: _atelier_v1_ReadProductFileRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadProductFileChunk>;
  readProductFile(argument: _atelier_v1_ReadProductFileRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadProductFileChunk>;
  
  /**
   * Access to one file for ten minutes, for whoever holds it. The licence is still asked for when it is used.
   */
  SignFile(argument: _atelier_v1_SignFileRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  SignFile(argument: _atelier_v1_SignFileRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  SignFile(argument: _atelier_v1_SignFileRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  SignFile(argument: _atelier_v1_SignFileRequestInput, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  /**
   * Access to one file for ten minutes, for whoever holds it. The licence is still asked for when it is used.
   */
  signFile(argument: _atelier_v1_SignFileRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  signFile(argument: _atelier_v1_SignFileRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  signFile(argument: _atelier_v1_SignFileRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  signFile(argument: _atelier_v1_SignFileRequestInput, callback: grpc.requestCallback<_atelier_v1_SignedFile>): grpc.ClientUnaryCall;
  
}

/**
 * What a person has licences of, and the files that come with them. For the signed-in person only; a signed link needs no caller.
 * A file that is not the caller's to have looks exactly like one that does not exist: not_found.
 */
export interface LibraryHandlers extends grpc.UntypedServiceImplementation {
  /**
   * What a product comes as, for whoever may want it: its public facts, no way to the bytes. Needs no caller. Nothing where no such product
   * is public.
   */
  DescribeFiles: grpc.handleUnaryCall<_atelier_v1_DescribeFilesRequest, _atelier_v1_DescribeFilesReplyInput>;
  
  /**
   * What the account downloaded, newest first.
   */
  ListDownloads: grpc.handleUnaryCall<_atelier_v1_ListDownloadsRequest, _atelier_v1_ListDownloadsReplyInput>;
  
  /**
   * Licences with the files of their products, newest first. Revoked ones have no files.
   */
  ListLibrary: grpc.handleUnaryCall<_atelier_v1_ListLibraryRequest, _atelier_v1_ListLibraryReplyInput>;
  
  /**
   * The head, then the bytes. The licence is asked for again while bytes flow: one that is revoked meanwhile ends them with not_found.
   */
  ReadProductFile: grpc.handleServerStreamingCall<_atelier_v1_ReadProductFileRequest, _atelier_v1_ReadProductFileChunkInput>;
  
  /**
   * Access to one file for ten minutes, for whoever holds it. The licence is still asked for when it is used.
   */
  SignFile: grpc.handleUnaryCall<_atelier_v1_SignFileRequest, _atelier_v1_SignedFileInput>;
  
}

export interface LibraryDefinition extends grpc.ServiceDefinition {
  DescribeFiles: MethodDefinition<_atelier_v1_DescribeFilesRequestInput, _atelier_v1_DescribeFilesReplyInput, _atelier_v1_DescribeFilesRequest, _atelier_v1_DescribeFilesReply>
  ListDownloads: MethodDefinition<_atelier_v1_ListDownloadsRequestInput, _atelier_v1_ListDownloadsReplyInput, _atelier_v1_ListDownloadsRequest, _atelier_v1_ListDownloadsReply>
  ListLibrary: MethodDefinition<_atelier_v1_ListLibraryRequestInput, _atelier_v1_ListLibraryReplyInput, _atelier_v1_ListLibraryRequest, _atelier_v1_ListLibraryReply>
  ReadProductFile: MethodDefinition<_atelier_v1_ReadProductFileRequestInput, _atelier_v1_ReadProductFileChunkInput, _atelier_v1_ReadProductFileRequest, _atelier_v1_ReadProductFileChunk>
  SignFile: MethodDefinition<_atelier_v1_SignFileRequestInput, _atelier_v1_SignedFileInput, _atelier_v1_SignFileRequest, _atelier_v1_SignedFile>
}
