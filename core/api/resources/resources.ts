import type {
  ApiKeyResource,
  InvitationResource,
  MembershipResource,
  UserResource,
  WorkspaceResource,
} from './accountResources.ts';
import type { IdempotencyRecordResource } from './idempotencyRecord.ts';
import type { JournalResource } from './journal.ts';
import type { ResourceType } from './kubeObject.ts';
import type { NetworkResource } from './network.ts';
import type { OutboxResource } from './outbox.ts';
import { own } from './own.ts';
import type { RecordingChunkResource } from './recordingChunk.ts';
import type { RecordingResource } from './recordingResource.ts';
import type { KeyEpochsResource } from './records/keyEpochs.ts';
import type { UsageRecordResource } from './records/usageRecord.ts';
import type { ReplayResource } from './replayResource.ts';
import type { SecretResource } from './secret.ts';
import type { SnapshotResource } from './snapshot.ts';
import type { TokenResource } from './tokenResource.ts';

export const networkType: ResourceType<NetworkResource> = { ...own, kind: 'Network', plural: 'networks' };
export const secretType: ResourceType<SecretResource> = { ...own, kind: 'Secret', plural: 'secrets' };
export const tokenType: ResourceType<TokenResource> = { ...own, kind: 'Token', plural: 'tokens' };
export const snapshotType: ResourceType<SnapshotResource> = { ...own, kind: 'Snapshot', plural: 'snapshots' };
export const recordingType: ResourceType<RecordingResource> = {
  ...own,
  kind: 'Recording',
  plural: 'recordings',
};
export const recordingChunkType: ResourceType<RecordingChunkResource> = {
  ...own,
  kind: 'RecordingChunk',
  plural: 'recordingchunks',
};

export const workspaceType: ResourceType<WorkspaceResource> = {
  ...own,
  kind: 'Workspace',
  plural: 'workspaces',
};
export const userType: ResourceType<UserResource> = { ...own, kind: 'User', plural: 'users' };
export const membershipType: ResourceType<MembershipResource> = {
  ...own,
  kind: 'Membership',
  plural: 'memberships',
};
export const invitationType: ResourceType<InvitationResource> = {
  ...own,
  kind: 'Invitation',
  plural: 'invitations',
};
export const apiKeyType: ResourceType<ApiKeyResource> = { ...own, kind: 'ApiKey', plural: 'apikeys' };
export const idempotencyRecordType: ResourceType<IdempotencyRecordResource> = {
  ...own,
  kind: 'IdempotencyRecord',
  plural: 'idempotencyrecords',
};
export const outboxType: ResourceType<OutboxResource> = { ...own, kind: 'Outbox', plural: 'outboxes' };
export const journalType: ResourceType<JournalResource> = { ...own, kind: 'Journal', plural: 'journals' };
export const replayType: ResourceType<ReplayResource> = { ...own, kind: 'Replay', plural: 'replays' };
export const usageRecordType: ResourceType<UsageRecordResource> = {
  ...own,
  kind: 'UsageRecord',
  plural: 'usagerecords',
};
export const keyEpochsType: ResourceType<KeyEpochsResource> = {
  ...own,
  kind: 'KeyEpochs',
  plural: 'keyepochs',
};
