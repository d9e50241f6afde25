// Original file: atelier/v1/models.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetModelRequestInput as _atelier_v1_GetModelRequestInput, GetModelRequest as _atelier_v1_GetModelRequest } from '../../atelier/v1/GetModelRequest.ts';
import type { ListModelsReplyInput as _atelier_v1_ListModelsReplyInput, ListModelsReply as _atelier_v1_ListModelsReply } from '../../atelier/v1/ListModelsReply.ts';
import type { ListModelsRequestInput as _atelier_v1_ListModelsRequestInput, ListModelsRequest as _atelier_v1_ListModelsRequest } from '../../atelier/v1/ListModelsRequest.ts';
import type { ListPlansReplyInput as _atelier_v1_ListPlansReplyInput, ListPlansReply as _atelier_v1_ListPlansReply } from '../../atelier/v1/ListPlansReply.ts';
import type { ListPlansRequestInput as _atelier_v1_ListPlansRequestInput, ListPlansRequest as _atelier_v1_ListPlansRequest } from '../../atelier/v1/ListPlansRequest.ts';
import type { ModelInput as _atelier_v1_ModelInput, Model as _atelier_v1_Model } from '../../atelier/v1/Model.ts';
import type { ShowModelsRequestInput as _atelier_v1_ShowModelsRequestInput, ShowModelsRequest as _atelier_v1_ShowModelsRequest } from '../../atelier/v1/ShowModelsRequest.ts';

/**
 * What can be generated and on which plans.
 */
export interface ModelsClient extends grpc.Client {
  /**
   * A live, a paused or a retired one. Needs a caller with read scope. Errors: not_found.
   */
  GetModel(argument: _atelier_v1_GetModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  GetModel(argument: _atelier_v1_GetModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  GetModel(argument: _atelier_v1_GetModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  GetModel(argument: _atelier_v1_GetModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  /**
   * A live, a paused or a retired one. Needs a caller with read scope. Errors: not_found.
   */
  getModel(argument: _atelier_v1_GetModelRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  getModel(argument: _atelier_v1_GetModelRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  getModel(argument: _atelier_v1_GetModelRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  getModel(argument: _atelier_v1_GetModelRequestInput, callback: grpc.requestCallback<_atelier_v1_Model>): grpc.ClientUnaryCall;
  
  /**
   * Live models only. Needs a caller with read scope.
   */
  ListModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ListModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ListModels(argument: _atelier_v1_ListModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ListModels(argument: _atelier_v1_ListModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  /**
   * Live models only. Needs a caller with read scope.
   */
  listModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  listModels(argument: _atelier_v1_ListModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  listModels(argument: _atelier_v1_ListModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  listModels(argument: _atelier_v1_ListModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  
  /**
   * Public.
   */
  ListPlans(argument: _atelier_v1_ListPlansRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  ListPlans(argument: _atelier_v1_ListPlansRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  ListPlans(argument: _atelier_v1_ListPlansRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  ListPlans(argument: _atelier_v1_ListPlansRequestInput, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  /**
   * Public.
   */
  listPlans(argument: _atelier_v1_ListPlansRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  listPlans(argument: _atelier_v1_ListPlansRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  listPlans(argument: _atelier_v1_ListPlansRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  listPlans(argument: _atelier_v1_ListPlansRequestInput, callback: grpc.requestCallback<_atelier_v1_ListPlansReply>): grpc.ClientUnaryCall;
  
  /**
   * Live models, for pages that show strangers what can be made here. Public.
   */
  ShowModels(argument: _atelier_v1_ShowModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ShowModels(argument: _atelier_v1_ShowModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ShowModels(argument: _atelier_v1_ShowModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  ShowModels(argument: _atelier_v1_ShowModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  /**
   * Live models, for pages that show strangers what can be made here. Public.
   */
  showModels(argument: _atelier_v1_ShowModelsRequestInput, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  showModels(argument: _atelier_v1_ShowModelsRequestInput, metadata: grpc.Metadata, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  showModels(argument: _atelier_v1_ShowModelsRequestInput, options: grpc.CallOptions, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  showModels(argument: _atelier_v1_ShowModelsRequestInput, callback: grpc.requestCallback<_atelier_v1_ListModelsReply>): grpc.ClientUnaryCall;
  
}

/**
 * What can be generated and on which plans.
 */
export interface ModelsHandlers extends grpc.UntypedServiceImplementation {
  /**
   * A live, a paused or a retired one. Needs a caller with read scope. Errors: not_found.
   */
  GetModel: grpc.handleUnaryCall<_atelier_v1_GetModelRequest, _atelier_v1_ModelInput>;
  
  /**
   * Live models only. Needs a caller with read scope.
   */
  ListModels: grpc.handleUnaryCall<_atelier_v1_ListModelsRequest, _atelier_v1_ListModelsReplyInput>;
  
  /**
   * Public.
   */
  ListPlans: grpc.handleUnaryCall<_atelier_v1_ListPlansRequest, _atelier_v1_ListPlansReplyInput>;
  
  /**
   * Live models, for pages that show strangers what can be made here. Public.
   */
  ShowModels: grpc.handleUnaryCall<_atelier_v1_ShowModelsRequest, _atelier_v1_ListModelsReplyInput>;
  
}

export interface ModelsDefinition extends grpc.ServiceDefinition {
  GetModel: MethodDefinition<_atelier_v1_GetModelRequestInput, _atelier_v1_ModelInput, _atelier_v1_GetModelRequest, _atelier_v1_Model>
  ListModels: MethodDefinition<_atelier_v1_ListModelsRequestInput, _atelier_v1_ListModelsReplyInput, _atelier_v1_ListModelsRequest, _atelier_v1_ListModelsReply>
  ListPlans: MethodDefinition<_atelier_v1_ListPlansRequestInput, _atelier_v1_ListPlansReplyInput, _atelier_v1_ListPlansRequest, _atelier_v1_ListPlansReply>
  ShowModels: MethodDefinition<_atelier_v1_ShowModelsRequestInput, _atelier_v1_ListModelsReplyInput, _atelier_v1_ShowModelsRequest, _atelier_v1_ListModelsReply>
}
