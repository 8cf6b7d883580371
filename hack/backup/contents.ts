import { gunzipSync, gzipSync } from 'node:zlib';
import type { Stored } from '../../core/api/resources/kubeObject.ts';
import type { CoreSecret, PersistentVolumeClaim } from '../../core/kube/types.ts';
import type { AnyObject } from './kinds.ts';

/** The format of a backup: raised when a restore of this release could not read what a former one wrote. */
export const backupFormat = 1;

/** The volume of a network, in a snapshot that its storage keeps. */
export interface SavedVolume {
  /** The claim, without what the cluster set. */
  claim: PersistentVolumeClaim;
  /** uid of the network. */
  network: string;
  driver: string;
  /** What the storage calls the snapshot. */
  handle: string;
}

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
  namespaces: Stored<AnyObject>[];
  /** All custom resources, as they were at one moment. */
  objects: Stored<AnyObject>[];
  /** The stored parts of snapshots, which are ConfigMaps. */
  snapshotParts: Stored<AnyObject>[];
  volumes: SavedVolume[];
}

/**
 * A backup as lines of JSON, compressed: objects and parts of snapshots have a line each, because together they may exceed
 * what one text holds. The first line says how many objects follow it; the parts of snapshots come after them.
 */
export function packBackup({ objects, snapshotParts, ...rest }: Backup): Buffer {
  const head = { ...rest, objectCount: objects.length };
  const lines = [head, ...objects, ...snapshotParts].map((value) =>
    Buffer.from(`${JSON.stringify(value)}\n`),
  );
  return gzipSync(Buffer.concat(lines));
}

/** The inverse of `packBackup`. */
export function unpackBackup(packed: Uint8Array): Backup {
  const bytes = gunzipSync(packed);
  let start = 0;
  const next = () => {
    const end = bytes.indexOf('\n', start);
    const line = bytes.toString('utf8', start, end);
    start = end + 1;
    return JSON.parse(line);
  };
  const { objectCount, ...rest } = next();
  const others: Stored<AnyObject>[] = [];
  while (start < bytes.length) others.push(next());
  return { ...rest, objects: others.slice(0, objectCount), snapshotParts: others.slice(objectCount) };
}
