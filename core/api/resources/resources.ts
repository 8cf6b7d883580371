import type {
  ApiKeyResource,
  InvitationResource,
  MembershipResource,
  UserResource,
  WorkspaceResource,
} from './accountResources.ts';
import type { IdempotencyRecordResource } from './idempotencyRecord.ts';
import type { JournalResource } from './journal.ts';
import type { NetworkResource } from './network.ts';
import type { OutboxResource } from './outbox.ts';
import { ownType } from './own.ts';
import type { RecordingChunkResource } from './recordingChunk.ts';
import type { RecordingResource } from './recordingResource.ts';
import type { KeyEpochsResource } from './records/keyEpochs.ts';
import type { UsageRecordResource } from './records/usageRecord.ts';
import type { ReplayResource } from './replayResource.ts';
import type { SecretResource } from './secret.ts';
import type { SnapshotResource } from './snapshot.ts';
import type { TokenResource } from './tokenResource.ts';

export const networkType = ownType<NetworkResource>('Network');
export const secretType = ownType<SecretResource>('Secret');
export const tokenType = ownType<TokenResource>('Token');
export const snapshotType = ownType<SnapshotResource>('Snapshot');
export const recordingType = ownType<RecordingResource>('Recording');
export const recordingChunkType = ownType<RecordingChunkResource>('RecordingChunk');

export const workspaceType = ownType<WorkspaceResource>('Workspace');
export const userType = ownType<UserResource>('User');
export const membershipType = ownType<MembershipResource>('Membership');
export const invitationType = ownType<InvitationResource>('Invitation');
export const apiKeyType = ownType<ApiKeyResource>('ApiKey');
export const idempotencyRecordType = ownType<IdempotencyRecordResource>('IdempotencyRecord');
export const outboxType = ownType<OutboxResource>('Outbox');
export const journalType = ownType<JournalResource>('Journal');
export const replayType = ownType<ReplayResource>('Replay');
export const usageRecordType = ownType<UsageRecordResource>('UsageRecord');
export const keyEpochsType = ownType<KeyEpochsResource>('KeyEpochs');
