import { existsSync } from 'node:fs';
import { say } from '../lib/progress.ts';
import { UserError } from '../lib/run.ts';
import { downNativeCluster, ensureNativeCluster, nativeStatus } from '../nativeNode/cluster.ts';
import { layout } from '../nativeNode/setup/layout.ts';
import type { Cluster, ClusterKind, ClusterOptions } from './cluster.ts';
import { useCurrentCluster } from './current.ts';
import { canUseKind, downKindCluster, ensureKindCluster, kindStatus } from './kind.ts';

export type { Cluster } from './cluster.ts';

const DEFAULT_INGRESS_PORT = 8080;

const factories: Record<ClusterKind, (options: ClusterOptions) => Promise<Cluster>> = {
  native: ensureNativeCluster,
  kind: ensureKindCluster,
  current: useCurrentCluster,
};

/**
 * Returns a cluster of the requested kind, and creates it unless it is already running.
 * `auto` chooses kind when Docker is available, otherwise the native node.
 * Throws UserError with what to install when neither is possible.
 */
export async function ensureCluster(kind: string, options = optionsFromEnvironment()): Promise<Cluster> {
  if (kind === 'auto' || kind === '') return ensureAnyCluster(options);
  if (!isClusterKind(kind)) throw new UserError(`CLUSTER=${kind} is not one of auto, kind, native, current`);
  return factories[kind](options);
}

/** Removes the native and kind clusters that `ensureCluster` created, and prints what it removed. */
export async function downCluster(): Promise<void> {
  const removed = [await downNativeCluster(), await downKindCluster()];
  if (!removed.includes(true)) say('There is no Slipway cluster on this machine.');
}

/** A human-readable summary of what is running. */
export async function clusterStatus(): Promise<string> {
  return (await nativeStatus()) ?? (await kindStatus()) ?? 'There is no Slipway cluster on this machine.';
}

/** Reads `INGRESS_PORT` and `FORK_SOURCES` (comma-separated URLs). */
export function optionsFromEnvironment(
  env: Record<string, string | undefined> = process.env,
): ClusterOptions {
  const ingressPort = Number(env.INGRESS_PORT || DEFAULT_INGRESS_PORT);
  if (!Number.isInteger(ingressPort) || ingressPort < 1 || ingressPort > 65_535) {
    throw new UserError(`INGRESS_PORT=${env.INGRESS_PORT} is not a valid port: use a number from 1 to 65535`);
  }
  return { ingressPort, forkSources: (env.FORK_SOURCES ?? '').split(',').filter(Boolean) };
}

async function ensureAnyCluster(options: ClusterOptions): Promise<Cluster> {
  if (existsSync(layout.state)) return ensureNativeCluster(options);
  if (await canUseKind()) return ensureKindOrNative(options);
  return ensureNativeCluster(options);
}

async function ensureKindOrNative(options: ClusterOptions): Promise<Cluster> {
  try {
    return await ensureKindCluster(options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(`kind failed (can its node image be pulled?): using the native node.\n${error.message}`);
    return ensureNativeCluster(options);
  }
}

function isClusterKind(kind: string): kind is ClusterKind {
  return Object.hasOwn(factories, kind);
}
