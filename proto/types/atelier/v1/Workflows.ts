// Original file: atelier/v1/workflows.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CancelWorkflowRequestInput as _atelier_v1_CancelWorkflowRequestInput, CancelWorkflowRequest as _atelier_v1_CancelWorkflowRequest } from '../../atelier/v1/CancelWorkflowRequest.ts';
import type { GetWorkflowRequestInput as _atelier_v1_GetWorkflowRequestInput, GetWorkflowRequest as _atelier_v1_GetWorkflowRequest } from '../../atelier/v1/GetWorkflowRequest.ts';
import type { ListWorkflowsReplyInput as _atelier_v1_ListWorkflowsReplyInput, ListWorkflowsReply as _atelier_v1_ListWorkflowsReply } from '../../atelier/v1/ListWorkflowsReply.ts';
import type { ListWorkflowsRequestInput as _atelier_v1_ListWorkflowsRequestInput, ListWorkflowsRequest as _atelier_v1_ListWorkflowsRequest } from '../../atelier/v1/ListWorkflowsRequest.ts';
import type { RunWorkflowReplyInput as _atelier_v1_RunWorkflowReplyInput, RunWorkflowReply as _atelier_v1_RunWorkflowReply } from '../../atelier/v1/RunWorkflowReply.ts';
import type { RunWorkflowRequestInput as _atelier_v1_RunWorkflowRequestInput, RunWorkflowRequest as _atelier_v1_RunWorkflowRequest } from '../../atelier/v1/RunWorkflowRequest.ts';
import type { WatchWorkflowRequestInput as _atelier_v1_WatchWorkflowRequestInput, WatchWorkflowRequest as _atelier_v1_WatchWorkflowRequest } from '../../atelier/v1/WatchWorkflowRequest.ts';
import type { WorkflowInput as _atelier_v1_WorkflowInput, Workflow as _atelier_v1_Workflow } from '../../atelier/v1/Workflow.ts';

/**
 * Small graphs of jobs, sent and paid as one. Every method answers about the caller's own workflows only. Each step is a job, and is read,
 * watched and cancelled as one by the service Jobs.
 */
export interface WorkflowsClient extends grpc.Client {
  /**
   * Steps that have not started are cancelled, and so are running ones where their providers can stop. Asking again changes nothing.
   * Errors: workflow_not_found, workflow_not_cancellable.
   */
  CancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  CancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  CancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  CancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  /**
   * Steps that have not started are cancelled, and so are running ones where their providers can stop. Asking again changes nothing.
   * Errors: workflow_not_found, workflow_not_cancellable.
   */
  cancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  cancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  cancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  cancelWorkflow(argument: _atelier_v1_CancelWorkflowRequestInput, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  
  /**
   * wait_seconds > 0 holds the answer until the workflow has ended or the seconds are over. Errors: workflow_not_found.
   */
  GetWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  GetWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  GetWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  GetWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  /**
   * wait_seconds > 0 holds the answer until the workflow has ended or the seconds are over. Errors: workflow_not_found.
   */
  getWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  getWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  getWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  getWorkflow(argument: _atelier_v1_GetWorkflowRequestInput, callback: grpc.requestCallback<_atelier_v1_Workflow>): grpc.ClientUnaryCall;
  
  /**
   * The newest first.
   */
  ListWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  ListWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  ListWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  ListWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  /**
   * The newest first.
   */
  listWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  listWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  listWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  listWorkflows(argument: _atelier_v1_ListWorkflowsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListWorkflowsReply>): grpc.ClientUnaryCall;
  
  /**
   * Checks all steps, holds the price of all, writes the workflow and its jobs, all in one transaction. Does not wait for them.
   */
  RunWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  RunWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  RunWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  RunWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  /**
   * Checks all steps, holds the price of all, writes the workflow and its jobs, all in one transaction. Does not wait for them.
   */
  runWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  runWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  runWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  runWorkflow(argument: _atelier_v1_RunWorkflowRequestInput, callback: grpc.requestCallback<_atelier_v1_RunWorkflowReply>): grpc.ClientUnaryCall;
  
  /**
   * The workflow at once, and again after every change of it or of a step; ends with it.
   */
  WatchWorkflow(argument: _atelier_v1_WatchWorkflowRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Workflow>;
  WatchWorkflow(argument: _atelier_v1_WatchWorkflowRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Workflow>;
  /**
   * The workflow at once, and again after every change of it or of a step; ends with it.
   */
  watchWorkflow(argument: _atelier_v1_WatchWorkflowRequestInput, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Workflow>;
  watchWorkflow(argument: _atelier_v1_WatchWorkflowRequestInput, options?: grpc.CallOptions): grpc.ClientReadableStream<_atelier_v1_Workflow>;
  
}

/**
 * Small graphs of jobs, sent and paid as one. Every method answers about the caller's own workflows only. Each step is a job, and is read,
 * watched and cancelled as one by the service Jobs.
 */
export interface WorkflowsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Steps that have not started are cancelled, and so are running ones where their providers can stop. Asking again changes nothing.
   * Errors: workflow_not_found, workflow_not_cancellable.
   */
  CancelWorkflow: grpc.handleUnaryCall<_atelier_v1_CancelWorkflowRequest, _atelier_v1_WorkflowInput>;
  
  /**
   * wait_seconds > 0 holds the answer until the workflow has ended or the seconds are over. Errors: workflow_not_found.
   */
  GetWorkflow: grpc.handleUnaryCall<_atelier_v1_GetWorkflowRequest, _atelier_v1_WorkflowInput>;
  
  /**
   * The newest first.
   */
  ListWorkflows: grpc.handleUnaryCall<_atelier_v1_ListWorkflowsRequest, _atelier_v1_ListWorkflowsReplyInput>;
  
  /**
   * Checks all steps, holds the price of all, writes the workflow and its jobs, all in one transaction. Does not wait for them.
   */
  RunWorkflow: grpc.handleUnaryCall<_atelier_v1_RunWorkflowRequest, _atelier_v1_RunWorkflowReplyInput>;
  
  /**
   * The workflow at once, and again after every change of it or of a step; ends with it.
   */
  WatchWorkflow: grpc.handleServerStreamingCall<_atelier_v1_WatchWorkflowRequest, _atelier_v1_WorkflowInput>;
  
}

export interface WorkflowsDefinition extends grpc.ServiceDefinition {
  CancelWorkflow: MethodDefinition<_atelier_v1_CancelWorkflowRequestInput, _atelier_v1_WorkflowInput, _atelier_v1_CancelWorkflowRequest, _atelier_v1_Workflow>
  GetWorkflow: MethodDefinition<_atelier_v1_GetWorkflowRequestInput, _atelier_v1_WorkflowInput, _atelier_v1_GetWorkflowRequest, _atelier_v1_Workflow>
  ListWorkflows: MethodDefinition<_atelier_v1_ListWorkflowsRequestInput, _atelier_v1_ListWorkflowsReplyInput, _atelier_v1_ListWorkflowsRequest, _atelier_v1_ListWorkflowsReply>
  RunWorkflow: MethodDefinition<_atelier_v1_RunWorkflowRequestInput, _atelier_v1_RunWorkflowReplyInput, _atelier_v1_RunWorkflowRequest, _atelier_v1_RunWorkflowReply>
  WatchWorkflow: MethodDefinition<_atelier_v1_WatchWorkflowRequestInput, _atelier_v1_WorkflowInput, _atelier_v1_WatchWorkflowRequest, _atelier_v1_Workflow>
}
