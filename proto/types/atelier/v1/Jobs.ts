// Original file: atelier/v1/jobs.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelJobRequestInput as _atelier_v1_CancelJobRequestInput, CancelJobRequest as _atelier_v1_CancelJobRequest } from '../../atelier/v1/CancelJobRequest.ts';
import type { DeleteOutputsRequestInput as _atelier_v1_DeleteOutputsRequestInput, DeleteOutputsRequest as _atelier_v1_DeleteOutputsRequest } from '../../atelier/v1/DeleteOutputsRequest.ts';
import type { DescribeStudioRequestInput as _atelier_v1_DescribeStudioRequestInput, DescribeStudioRequest as _atelier_v1_DescribeStudioRequest } from '../../atelier/v1/DescribeStudioRequest.ts';
import type { EstimateReplyInput as _atelier_v1_EstimateReplyInput, EstimateReply as _atelier_v1_EstimateReply } from '../../atelier/v1/EstimateReply.ts';
import type { GenerateReplyInput as _atelier_v1_GenerateReplyInput, GenerateReply as _atelier_v1_GenerateReply } from '../../atelier/v1/GenerateReply.ts';
import type { GenerateRequestInput as _atelier_v1_GenerateRequestInput, GenerateRequest as _atelier_v1_GenerateRequest } from '../../atelier/v1/GenerateRequest.ts';
import type { GetJobRequestInput as _atelier_v1_GetJobRequestInput, GetJobRequest as _atelier_v1_GetJobRequest } from '../../atelier/v1/GetJobRequest.ts';
import type { JobInput as _atelier_v1_JobInput, Job as _atelier_v1_Job } from '../../atelier/v1/Job.ts';
import type { JobEventInput as _atelier_v1_JobEventInput, JobEvent as _atelier_v1_JobEvent } from '../../atelier/v1/JobEvent.ts';
import type { ListJobsReplyInput as _atelier_v1_ListJobsReplyInput, ListJobsReply as _atelier_v1_ListJobsReply } from '../../atelier/v1/ListJobsReply.ts';
import type { ListJobsRequestInput as _atelier_v1_ListJobsRequestInput, ListJobsRequest as _atelier_v1_ListJobsRequest } from '../../atelier/v1/ListJobsRequest.ts';
import type { ReadInputRequestInput as _atelier_v1_ReadInputRequestInput, ReadInputRequest as _atelier_v1_ReadInputRequest } from '../../atelier/v1/ReadInputRequest.ts';
import type { ReadOutputChunkInput as _atelier_v1_ReadOutputChunkInput, ReadOutputChunk as _atelier_v1_ReadOutputChunk } from '../../atelier/v1/ReadOutputChunk.ts';
import type { ReadOutputRequestInput as _atelier_v1_ReadOutputRequestInput, ReadOutputRequest as _atelier_v1_ReadOutputRequest } from '../../atelier/v1/ReadOutputRequest.ts';
import type { StudioStateInput as _atelier_v1_StudioStateInput, StudioState as _atelier_v1_StudioState } from '../../atelier/v1/StudioState.ts';
import type { SumSpendingByKeyReplyInput as _atelier_v1_SumSpendingByKeyReplyInput, SumSpendingByKeyReply as _atelier_v1_SumSpendingByKeyReply } from '../../atelier/v1/SumSpendingByKeyReply.ts';
import type { SumSpendingByKeyRequestInput as _atelier_v1_SumSpendingByKeyRequestInput, SumSpendingByKeyRequest as _atelier_v1_SumSpendingByKeyRequest } from '../../atelier/v1/SumSpendingByKeyRequest.ts';
import type { SumSpendingReplyInput as _atelier_v1_SumSpendingReplyInput, SumSpendingReply as _atelier_v1_SumSpendingReply } from '../../atelier/v1/SumSpendingReply.ts';
import type { SumSpendingRequestInput as _atelier_v1_SumSpendingRequestInput, SumSpendingRequest as _atelier_v1_SumSpendingRequest } from '../../atelier/v1/SumSpendingRequest.ts';
import type { TakeProviderWebhookReplyInput as _atelier_v1_TakeProviderWebhookReplyInput, TakeProviderWebhookReply as _atelier_v1_TakeProviderWebhookReply } from '../../atelier/v1/TakeProviderWebhookReply.ts';
import type { TakeProviderWebhookRequestInput as _atelier_v1_TakeProviderWebhookRequestInput, TakeProviderWebhookRequest as _atelier_v1_TakeProviderWebhookRequest } from '../../atelier/v1/TakeProviderWebhookRequest.ts';
import type { UnderstandReplyInput as _atelier_v1_UnderstandReplyInput, UnderstandReply as _atelier_v1_UnderstandReply } from '../../atelier/v1/UnderstandReply.ts';
import type { UnderstandRequestInput as _atelier_v1_UnderstandRequestInput, UnderstandRequest as _atelier_v1_UnderstandRequest } from '../../atelier/v1/UnderstandRequest.ts';
import type { VerifiedFileInput as _atelier_v1_VerifiedFileInput, VerifiedFile as _atelier_v1_VerifiedFile } from '../../atelier/v1/VerifiedFile.ts';
import type { VerifiedOutputInput as _atelier_v1_VerifiedOutputInput, VerifiedOutput as _atelier_v1_VerifiedOutput } from '../../atelier/v1/VerifiedOutput.ts';
import type { VerifyFilePartInput as _atelier_v1_VerifyFilePartInput, VerifyFilePart as _atelier_v1_VerifyFilePart } from '../../atelier/v1/VerifyFilePart.ts';
import type { VerifyOutputRequestInput as _atelier_v1_VerifyOutputRequestInput, VerifyOutputRequest as _atelier_v1_VerifyOutputRequest } from '../../atelier/v1/VerifyOutputRequest.ts';
import type { WatchJobRequestInput as _atelier_v1_WatchJobRequestInput, WatchJobRequest as _atelier_v1_WatchJobRequest } from '../../atelier/v1/WatchJobRequest.ts';

/**
 * Generation jobs. Callers are named by metadata (see proto/caller.ts); every method answers about the caller's own jobs only.
 */
export interface JobsClient extends grpc.Client {
  CancelJob(argument: _atelier_v1_CancelJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  CancelJob(argument: _atelier_v1_CancelJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  CancelJob(argument: _atelier_v1_CancelJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  CancelJob(argument: _atelier_v1_CancelJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  cancelJob(argument: _atelier_v1_CancelJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  cancelJob(argument: _atelier_v1_CancelJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  cancelJob(argument: _atelier_v1_CancelJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  cancelJob(argument: _atelier_v1_CancelJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  
  /**
   * Removes files of a job that has ended; the job, what it cost and what is known of the files stay. Safe to repeat. Needs write scope.
   * Bytes that a job which waits or runs was given are kept for that job alone. Errors: job_not_found, job_not_ended, not_found.
   */
  DeleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  DeleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  DeleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  DeleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  /**
   * Removes files of a job that has ended; the job, what it cost and what is known of the files stay. Safe to repeat. Needs write scope.
   * Bytes that a job which waits or runs was given are kept for that job alone. Errors: job_not_found, job_not_ended, not_found.
   */
  deleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  deleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  deleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  deleteOutputs(argument: _atelier_v1_DeleteOutputsRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  
  /**
   * Whether things are made, and how soon: for a page that tells people. Needs no caller, and tells nothing of anybody's jobs.
   */
  DescribeStudio(argument: _atelier_v1_DescribeStudioRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  DescribeStudio(argument: _atelier_v1_DescribeStudioRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  DescribeStudio(argument: _atelier_v1_DescribeStudioRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  DescribeStudio(argument: _atelier_v1_DescribeStudioRequestInput, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  /**
   * Whether things are made, and how soon: for a page that tells people. Needs no caller, and tells nothing of anybody's jobs.
   */
  describeStudio(argument: _atelier_v1_DescribeStudioRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  describeStudio(argument: _atelier_v1_DescribeStudioRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  describeStudio(argument: _atelier_v1_DescribeStudioRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  describeStudio(argument: _atelier_v1_DescribeStudioRequestInput, callback: grpc.requestCallback<_atelier_v1_StudioState>): grpc.ClientUnaryCall;
  
  /**
   * What Generate would check and cost, without doing it: nothing is held or written. What passes by itself is no error here: too few
   * credits and a full queue. Needs read scope; idempotency_key counts for nothing.
   */
  Estimate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  Estimate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  Estimate(argument: _atelier_v1_GenerateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  Estimate(argument: _atelier_v1_GenerateRequestInput, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  /**
   * What Generate would check and cost, without doing it: nothing is held or written. What passes by itself is no error here: too few
   * credits and a full queue. Needs read scope; idempotency_key counts for nothing.
   */
  estimate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  estimate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  estimate(argument: _atelier_v1_GenerateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  estimate(argument: _atelier_v1_GenerateRequestInput, callback: grpc.requestCallback<_atelier_v1_EstimateReply>): grpc.ClientUnaryCall;
  
  /**
   * Holds the price, writes the job and its first event, all in one transaction. Does not wait for the job.
   */
  Generate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  Generate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  Generate(argument: _atelier_v1_GenerateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  Generate(argument: _atelier_v1_GenerateRequestInput, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  /**
   * Holds the price, writes the job and its first event, all in one transaction. Does not wait for the job.
   */
  generate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  generate(argument: _atelier_v1_GenerateRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  generate(argument: _atelier_v1_GenerateRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  generate(argument: _atelier_v1_GenerateRequestInput, callback: grpc.requestCallback<_atelier_v1_GenerateReply>): grpc.ClientUnaryCall;
  
  /**
   * wait_seconds > 0 holds the answer until the job has ended or the seconds are over.
   */
  GetJob(argument: _atelier_v1_GetJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  GetJob(argument: _atelier_v1_GetJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  GetJob(argument: _atelier_v1_GetJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  GetJob(argument: _atelier_v1_GetJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  /**
   * wait_seconds > 0 holds the answer until the job has ended or the seconds are over.
   */
  getJob(argument: _atelier_v1_GetJobRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  getJob(argument: _atelier_v1_GetJobRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  getJob(argument: _atelier_v1_GetJobRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  getJob(argument: _atelier_v1_GetJobRequestInput, callback: grpc.requestCallback<_atelier_v1_Job>): grpc.ClientUnaryCall;
  
  ListJobs(argument: _atelier_v1_ListJobsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  ListJobs(argument: _atelier_v1_ListJobsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  ListJobs(argument: _atelier_v1_ListJobsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  ListJobs(argument: _atelier_v1_ListJobsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  listJobs(argument: _atelier_v1_ListJobsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  listJobs(argument: _atelier_v1_ListJobsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  listJobs(argument: _atelier_v1_ListJobsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  listJobs(argument: _atelier_v1_ListJobsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListJobsReply>): grpc.ClientUnaryCall;
  
  /**
   * The file that a param of the job names, in the same way.
   */
  ReadInput(argument: _atelier_v1_ReadInputRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  ReadInput(argument: _atelier_v1_ReadInputRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  /**
   * The file that a param of the job names, in the same way.
   */
  readInput(argument: _atelier_v1_ReadInputRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  readInput(argument: _atelier_v1_ReadInputRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  
  /**
   * First message: head. Then the bytes of the range asked for.
   */
  ReadOutput(argument: _atelier_v1_ReadOutputRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  ReadOutput(argument: _atelier_v1_ReadOutputRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  /**
   * First message: head. Then the bytes of the range asked for.
   */
  readOutput(argument: _atelier_v1_ReadOutputRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  readOutput(argument: _atelier_v1_ReadOutputRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_ReadOutputChunk>;
  
  /**
   * What jobs of the last days cost, by day and model.
   */
  SumSpending(argument: _atelier_v1_SumSpendingRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  SumSpending(argument: _atelier_v1_SumSpendingRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  SumSpending(argument: _atelier_v1_SumSpendingRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  SumSpending(argument: _atelier_v1_SumSpendingRequestInput, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  /**
   * What jobs of the last days cost, by day and model.
   */
  sumSpending(argument: _atelier_v1_SumSpendingRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  sumSpending(argument: _atelier_v1_SumSpendingRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  sumSpending(argument: _atelier_v1_SumSpendingRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  sumSpending(argument: _atelier_v1_SumSpendingRequestInput, callback: grpc.requestCallback<_atelier_v1_SumSpendingReply>): grpc.ClientUnaryCall;
  
  /**
   * What jobs of each key cost lately, for the person who owns the account.
   */
  SumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  SumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  SumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  SumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  /**
   * What jobs of each key cost lately, for the person who owns the account.
   */
  sumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  sumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  sumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  sumSpendingByKey(argument: _atelier_v1_SumSpendingByKeyRequestInput, callback: grpc.requestCallback<_atelier_v1_SumSpendingByKeyReply>): grpc.ClientUnaryCall;
  
  /**
   * A provider tells that a call has ended, exactly as it came. Needs no caller: the address that it came to is signed. Safe to repeat.
   * Errors: not_found (whatever is wrong with it), service_unavailable.
   */
  TakeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  TakeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  TakeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  TakeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  /**
   * A provider tells that a call has ended, exactly as it came. Needs no caller: the address that it came to is signed. Safe to repeat.
   * Errors: not_found (whatever is wrong with it), service_unavailable.
   */
  takeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  takeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  takeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  takeProviderWebhook(argument: _atelier_v1_TakeProviderWebhookRequestInput, callback: grpc.requestCallback<_atelier_v1_TakeProviderWebhookReply>): grpc.ClientUnaryCall;
  
  /**
   * What a model would draw of a prompt, where its provider can tell beforehand; else nothing. Needs read scope.
   */
  Understand(argument: _atelier_v1_UnderstandRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  Understand(argument: _atelier_v1_UnderstandRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  Understand(argument: _atelier_v1_UnderstandRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  Understand(argument: _atelier_v1_UnderstandRequestInput, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  /**
   * What a model would draw of a prompt, where its provider can tell beforehand; else nothing. Needs read scope.
   */
  understand(argument: _atelier_v1_UnderstandRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  understand(argument: _atelier_v1_UnderstandRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  understand(argument: _atelier_v1_UnderstandRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  understand(argument: _atelier_v1_UnderstandRequestInput, callback: grpc.requestCallback<_atelier_v1_UnderstandReply>): grpc.ClientUnaryCall;
  
  /**
   * What the Content Credentials of a file say, and whether they hold. Needs no caller, keeps nothing of the file, and tells nothing of whose
   * it is. Errors: unsupported_input, upload_too_large, rate_limited, service_unavailable.
   */
  VerifyFile(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  VerifyFile(metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  VerifyFile(options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  VerifyFile(callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  /**
   * What the Content Credentials of a file say, and whether they hold. Needs no caller, keeps nothing of the file, and tells nothing of whose
   * it is. Errors: unsupported_input, upload_too_large, rate_limited, service_unavailable.
   */
  verifyFile(metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  verifyFile(metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  verifyFile(options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  verifyFile(callback: grpc.requestCallback<_atelier_v1_VerifiedFile>): grpc.ClientWritableStream<_atelier_v1_VerifyFilePartInput>;
  
  /**
   * Whether a job of anybody's made a file of these bytes. Needs no caller, and tells nothing of whose it is.
   */
  VerifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  VerifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  VerifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  VerifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  /**
   * Whether a job of anybody's made a file of these bytes. Needs no caller, and tells nothing of whose it is.
   */
  verifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  verifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  verifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  verifyOutput(argument: _atelier_v1_VerifyOutputRequestInput, callback: grpc.requestCallback<_atelier_v1_VerifiedOutput>): grpc.ClientUnaryCall;
  
  /**
   * Every event after after_seq, then new ones as they are written; ends after the job's last event.
   */
  WatchJob(argument: _atelier_v1_WatchJobRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_JobEvent>;
  WatchJob(argument: _atelier_v1_WatchJobRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_JobEvent>;
  /**
   * Every event after after_seq, then new ones as they are written; ends after the job's last event.
   */
  watchJob(argument: _atelier_v1_WatchJobRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_JobEvent>;
  watchJob(argument: _atelier_v1_WatchJobRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_JobEvent>;
  
}

/**
 * Generation jobs. Callers are named by metadata (see proto/caller.ts); every method answers about the caller's own jobs only.
 */
export interface JobsHandlers extends grpc.UntypedServiceImplementation {
  CancelJob: grpc.handleUnaryCall<_atelier_v1_CancelJobRequest, _atelier_v1_JobInput>;
  
  /**
   * Removes files of a job that has ended; the job, what it cost and what is known of the files stay. Safe to repeat. Needs write scope.
   * Bytes that a job which waits or runs was given are kept for that job alone. Errors: job_not_found, job_not_ended, not_found.
   */
  DeleteOutputs: grpc.handleUnaryCall<_atelier_v1_DeleteOutputsRequest, _atelier_v1_JobInput>;
  
  /**
   * Whether things are made, and how soon: for a page that tells people. Needs no caller, and tells nothing of anybody's jobs.
   */
  DescribeStudio: grpc.handleUnaryCall<_atelier_v1_DescribeStudioRequest, _atelier_v1_StudioStateInput>;
  
  /**
   * What Generate would check and cost, without doing it: nothing is held or written. What passes by itself is no error here: too few
   * credits and a full queue. Needs read scope; idempotency_key counts for nothing.
   */
  Estimate: grpc.handleUnaryCall<_atelier_v1_GenerateRequest, _atelier_v1_EstimateReplyInput>;
  
  /**
   * Holds the price, writes the job and its first event, all in one transaction. Does not wait for the job.
   */
  Generate: grpc.handleUnaryCall<_atelier_v1_GenerateRequest, _atelier_v1_GenerateReplyInput>;
  
  /**
   * wait_seconds > 0 holds the answer until the job has ended or the seconds are over.
   */
  GetJob: grpc.handleUnaryCall<_atelier_v1_GetJobRequest, _atelier_v1_JobInput>;
  
  ListJobs: grpc.handleUnaryCall<_atelier_v1_ListJobsRequest, _atelier_v1_ListJobsReplyInput>;
  
  /**
   * The file that a param of the job names, in the same way.
   */
  ReadInput: grpc.handleServerStreamingCall<_atelier_v1_ReadInputRequest, _atelier_v1_ReadOutputChunkInput>;
  
  /**
   * First message: head. Then the bytes of the range asked for.
   */
  ReadOutput: grpc.handleServerStreamingCall<_atelier_v1_ReadOutputRequest, _atelier_v1_ReadOutputChunkInput>;
  
  /**
   * What jobs of the last days cost, by day and model.
   */
  SumSpending: grpc.handleUnaryCall<_atelier_v1_SumSpendingRequest, _atelier_v1_SumSpendingReplyInput>;
  
  /**
   * What jobs of each key cost lately, for the person who owns the account.
   */
  SumSpendingByKey: grpc.handleUnaryCall<_atelier_v1_SumSpendingByKeyRequest, _atelier_v1_SumSpendingByKeyReplyInput>;
  
  /**
   * A provider tells that a call has ended, exactly as it came. Needs no caller: the address that it came to is signed. Safe to repeat.
   * Errors: not_found (whatever is wrong with it), service_unavailable.
   */
  TakeProviderWebhook: grpc.handleUnaryCall<_atelier_v1_TakeProviderWebhookRequest, _atelier_v1_TakeProviderWebhookReplyInput>;
  
  /**
   * What a model would draw of a prompt, where its provider can tell beforehand; else nothing. Needs read scope.
   */
  Understand: grpc.handleUnaryCall<_atelier_v1_UnderstandRequest, _atelier_v1_UnderstandReplyInput>;
  
  /**
   * What the Content Credentials of a file say, and whether they hold. Needs no caller, keeps nothing of the file, and tells nothing of whose
   * it is. Errors: unsupported_input, upload_too_large, rate_limited, service_unavailable.
   */
  VerifyFile: grpc.handleClientStreamingCall<_atelier_v1_VerifyFilePart, _atelier_v1_VerifiedFileInput>;
  
  /**
   * Whether a job of anybody's made a file of these bytes. Needs no caller, and tells nothing of whose it is.
   */
  VerifyOutput: grpc.handleUnaryCall<_atelier_v1_VerifyOutputRequest, _atelier_v1_VerifiedOutputInput>;
  
  /**
   * Every event after after_seq, then new ones as they are written; ends after the job's last event.
   */
  WatchJob: grpc.handleServerStreamingCall<_atelier_v1_WatchJobRequest, _atelier_v1_JobEventInput>;
  
}

export interface JobsDefinition extends grpc.ServiceDefinition {
  CancelJob: MethodDefinition<_atelier_v1_CancelJobRequestInput, _atelier_v1_JobInput, _atelier_v1_CancelJobRequest, _atelier_v1_Job>
  DeleteOutputs: MethodDefinition<_atelier_v1_DeleteOutputsRequestInput, _atelier_v1_JobInput, _atelier_v1_DeleteOutputsRequest, _atelier_v1_Job>
  DescribeStudio: MethodDefinition<_atelier_v1_DescribeStudioRequestInput, _atelier_v1_StudioStateInput, _atelier_v1_DescribeStudioRequest, _atelier_v1_StudioState>
  Estimate: MethodDefinition<_atelier_v1_GenerateRequestInput, _atelier_v1_EstimateReplyInput, _atelier_v1_GenerateRequest, _atelier_v1_EstimateReply>
  Generate: MethodDefinition<_atelier_v1_GenerateRequestInput, _atelier_v1_GenerateReplyInput, _atelier_v1_GenerateRequest, _atelier_v1_GenerateReply>
  GetJob: MethodDefinition<_atelier_v1_GetJobRequestInput, _atelier_v1_JobInput, _atelier_v1_GetJobRequest, _atelier_v1_Job>
  ListJobs: MethodDefinition<_atelier_v1_ListJobsRequestInput, _atelier_v1_ListJobsReplyInput, _atelier_v1_ListJobsRequest, _atelier_v1_ListJobsReply>
  ReadInput: MethodDefinition<_atelier_v1_ReadInputRequestInput, _atelier_v1_ReadOutputChunkInput, _atelier_v1_ReadInputRequest, _atelier_v1_ReadOutputChunk>
  ReadOutput: MethodDefinition<_atelier_v1_ReadOutputRequestInput, _atelier_v1_ReadOutputChunkInput, _atelier_v1_ReadOutputRequest, _atelier_v1_ReadOutputChunk>
  SumSpending: MethodDefinition<_atelier_v1_SumSpendingRequestInput, _atelier_v1_SumSpendingReplyInput, _atelier_v1_SumSpendingRequest, _atelier_v1_SumSpendingReply>
  SumSpendingByKey: MethodDefinition<_atelier_v1_SumSpendingByKeyRequestInput, _atelier_v1_SumSpendingByKeyReplyInput, _atelier_v1_SumSpendingByKeyRequest, _atelier_v1_SumSpendingByKeyReply>
  TakeProviderWebhook: MethodDefinition<_atelier_v1_TakeProviderWebhookRequestInput, _atelier_v1_TakeProviderWebhookReplyInput, _atelier_v1_TakeProviderWebhookRequest, _atelier_v1_TakeProviderWebhookReply>
  Understand: MethodDefinition<_atelier_v1_UnderstandRequestInput, _atelier_v1_UnderstandReplyInput, _atelier_v1_UnderstandRequest, _atelier_v1_UnderstandReply>
  VerifyFile: MethodDefinition<_atelier_v1_VerifyFilePartInput, _atelier_v1_VerifiedFileInput, _atelier_v1_VerifyFilePart, _atelier_v1_VerifiedFile>
  VerifyOutput: MethodDefinition<_atelier_v1_VerifyOutputRequestInput, _atelier_v1_VerifiedOutputInput, _atelier_v1_VerifyOutputRequest, _atelier_v1_VerifiedOutput>
  WatchJob: MethodDefinition<_atelier_v1_WatchJobRequestInput, _atelier_v1_JobEventInput, _atelier_v1_WatchJobRequest, _atelier_v1_JobEvent>
}
