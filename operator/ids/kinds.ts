import type { NamespacedObject } from '../../core/api/resources/kubeObject.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
  webhookType,
} from '../../core/api/resources/resources.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';

/** Kinds whose ids over REST survive a restore. The objects of accounts are identified by their names. */
export const types = {
  networks: networkType,
  secrets: secretType,
  tokens: tokenType,
  recordings: recordingType,
  snapshots: snapshotType,
  webhooks: webhookType,
} as const;
export type Kinds = keyof typeof types;

export type IdCache = Pick<Reflector<NamespacedObject>, 'get' | 'list' | 'byIndex' | 'onChange' | 'observe'>;
