import { gunzipSync, gzipSync } from 'node:zlib';
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

/** The first line of a packed backup. */
type Head = Omit<Backup, 'objects' | 'snapshotParts'> & { objectCount: number };

/**
 * A backup as lines of JSON, compressed: objects and parts of snapshots have a line each, because together they may exceed
 * what one text holds. The first line says how many objects follow it; the parts of snapshots come after them.
 */
export function packBackup({ objects, snapshotParts, ...rest }: Backup): Buffer {
  const head: Head = { ...rest, objectCount: objects.length };
  const lines = [head, ...objects, ...snapshotParts].map((value) =>
    Buffer.from(`${JSON.stringify(value)}\n`),
  );
  return gzipSync(Buffer.concat(lines));
}

/** The inverse of `packBackup`. */
export function unpackBackup(packed: Uint8Array): Backup {
  const bytes = gunzipSync(packed);
  const values: unknown[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    values.push(JSON.parse(bytes.toString('utf8', start, end)));
    start = end + 1;
  }
  const [head, ...others] = values;
  const { objectCount, ...rest } = head as Head;
  return {
    ...rest,
    objects: others.slice(0, objectCount) as Stored<AnyObject>[],
    snapshotParts: others.slice(objectCount) as Stored<ConfigMap>[],
  };
}
