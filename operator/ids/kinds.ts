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

/** The kinds whose objects have ids over REST that a restore keeps. Those of accounts are their names. */
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
