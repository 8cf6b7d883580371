import type { z } from 'zod';
import * as common from '../common.ts';
import { eventSchema } from '../events/envelope.ts';
import { membersOfFeatures } from '../features.ts';
import * as chains from '../resources/chainSpecs.ts';
import { layerZeroSpecSchema } from '../resources/layerZero.ts';
import * as network from '../resources/network.ts';
import * as networkStatus from '../resources/networkStatus.ts';
import * as secret from '../resources/secret.ts';
import * as snapshot from '../resources/snapshot.ts';
import * as access from '../rest/access.ts';
import * as chainTypes from '../rest/chainTypes.ts';
import * as recording from '../rest/recording.ts';
import * as replay from '../rest/replay.ts';
import * as submission from '../rest/submission.ts';
import * as token from '../rest/token.ts';
import * as deploy from '../rest/tokenDeploy.ts';
import * as transaction from '../rest/transaction.ts';
import * as workspace from '../rest/workspace.ts';

/** The body of each deploy endpoint, under the name of its operation. */
const deploySchemas = Object.fromEntries(
  deploy.deployRequests.map(({ endpoint: { operationId }, body }) => [operationId.replace(/^d/, 'D'), body]),
);

/** The named schemas of the documents; all others are inlined. */
export const namedSchemas: Record<string, z.ZodType> = {
  Error: common.errorSchema,
  ObjectMeta: common.objectMetaSchema,
  ListMeta: common.listMetaSchema,
  LocalObjectReference: common.localObjectReferenceSchema,
  Condition: common.conditionSchema,
  Network: network.networkSchema,
  NetworkList: network.networkListSchema,
  NetworkInput: network.networkInputSchema,
  NetworkCreate: network.networkCreateSchema,
  NetworkSpec: network.networkSpecSchema,
  NetworkStatus: networkStatus.networkStatusSchema,
  ChainSpec: network.chainSchema,
  EndpointSet: network.endpointSetSchema,
  FromSpec: snapshot.fromSpecSchema,
  Snapshot: snapshot.snapshotSchema,
  SnapshotList: snapshot.snapshotListSchema,
  SnapshotCreate: snapshot.snapshotCreateSchema,
  EthereumSpec: chains.ethereumSpecSchema,
  EthereumParticipantSpec: chains.participantSchema,
  Layer2Spec: chains.layer2SpecSchema,
  SolanaSpec: chains.solanaSpecSchema,
  ThorchainSpec: chains.thorchainSpecSchema,
  LayerZeroSpec: layerZeroSpecSchema,
  ForkingSpec: chains.forkingSchema,
  ChainTypeList: chainTypes.chainTypeListSchema,
  ChainTypeOffer: chainTypes.chainTypeOfferSchema,
  ChainOption: chainTypes.chainOptionSchema,
  Secret: secret.secretSchema,
  SecretList: secret.secretListSchema,
  SecretInput: secret.secretInputSchema,
  Event: eventSchema,
  Token: token.tokenSchema,
  TokenList: token.tokenListSchema,
  Deployment: token.deploymentSchema,
  DeploymentList: token.deploymentListSchema,
  ...deploySchemas,
  AddDeployments: deploy.addDeploymentsSchema,
  TransactionItem: transaction.transactionItemSchema,
  SubmitRequest: transaction.submitRequestSchema,
  SubmitResponse: transaction.submitResponseSchema,
  Submission: submission.submissionSchema,
  SubmissionList: submission.submissionListSchema,
  Health: transaction.healthSchema,
  Recording: recording.recordingSchema,
  StartRecording: recording.startRecordingSchema,
  RecordingStarted: recording.recordingStartedSchema,
  StopRecording: recording.stopRecordingSchema,
  RecordedNetwork: replay.recordedNetworkSchema,
  RecordedTransaction: replay.recordedTransactionSchema,
  ReplayDocument: replay.replayDocumentSchema,
  ReplayRequest: replay.replayRequestSchema,
  ReplayResponse: replay.replayResponseSchema,
  ReplayedTransaction: replay.replayedTransactionSchema,
  User: workspace.userSchema,
  Me: workspace.meSchema,
  Workspace: workspace.workspaceSchema,
  WorkspaceList: workspace.workspaceListSchema,
  WorkspaceInput: workspace.workspaceInputSchema,
  Membership: workspace.membershipSchema,
  MembershipList: workspace.membershipListSchema,
  MembershipInput: workspace.membershipInputSchema,
  PermissionSet: workspace.permissionsSchema,
  Invitation: access.invitationSchema,
  InvitationList: access.invitationListSchema,
  InvitationInput: access.invitationInputSchema,
  NewInvitation: access.newInvitationSchema,
  AcceptInvitation: access.acceptInvitationSchema,
  AcceptedInvitation: access.acceptedInvitationSchema,
  ApiKey: access.apiKeySchema,
  ApiKeyList: access.apiKeyListSchema,
  ApiKeyInput: access.apiKeyInputSchema,
  NewApiKey: access.newApiKeySchema,
  InvitationToken: access.invitationTokenSchema,
  InvitationOffer: access.invitationOfferSchema,
  ...membersOfFeatures('schemas'),
};
