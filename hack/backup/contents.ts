import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { ConfigMap, CoreSecret, Namespace } from '../../core/kube/types.ts';
import type { AnyObject } from './kinds.ts';
import type { SavedVolume } from './volumes.ts';

/** The format of a backup: raised when a restore of this release could not read what a former one wrote. */
export const backupFormat = 1;

/** All that a backup holds. */
export interface Backup {
  format: number;
  /** Random; marks what a restore has written, so that an interrupted one continues. */
  id: string;
  takenAt: string;
  /** The version of Slipway that wrote it. */
  version: string;
  /** The namespace of the service. */
  namespace: string;
  /** What the installation's Deployments mount: its keys, the first API key, client secrets. */
  keys: CoreSecret[];
  /** Those of the workspaces. */
  namespaces: Stored<Namespace>[];
  /** All custom resources, as they were at one moment. */
  objects: Stored<AnyObject>[];
  /** The stored parts of snapshots. */
  snapshotParts: Stored<ConfigMap>[];
  volumes: SavedVolume[];
}
