import { existsSync } from 'node:fs';
import { hasDocker } from '../images/engine.ts';
import { say } from '../lib/progress.ts';
import { UserError } from '../lib/run.ts';
import type { Cluster, ClusterKind, ClusterOptions } from './cluster.ts';
import { useCurrentCluster } from './current.ts';
import { canUseKind, downKindCluster, ensureKindCluster, kindStatus } from './kind.ts';
import { downNativeCluster, ensureNativeCluster, nativeStatus } from './native/cluster.ts';
import { layout } from './native/setup/layout.ts';

export type { Cluster } from './cluster.ts';

const DEFAULT_INGRESS_PORT = 8080;

const makers: Record<ClusterKind, (options: ClusterOptions) => Promise<Cluster>> = {
  native: ensureNativeCluster,
  kind: ensureKindCluster,
  current: useCurrentCluster,
};

/**
 * Makes sure that there is a cluster of the wanted kind and answers it; one that is up is taken as it is.
 * `auto`: kind where a Docker engine and kind answer, else the native node.
 * Throws UserError with what to install where there is no way.
 */
export async function ensureCluster(kind: string, options = optionsFromEnvironment()): Promise<Cluster> {
  if (kind === 'auto' || kind === '') return ensureAnyCluster(options);
  if (!isClusterKind(kind)) throw new UserError(`CLUSTER=${kind} is none of auto, kind, native, current`);
  return makers[kind](options);
}

/** Removes the clusters that `ensureCluster` has made, native and kind, and says what it removed. */
export async function downCluster(): Promise<void> {
  const removed = [await downNativeCluster(), await downKindCluster()];
  if (!removed.includes(true)) say('There is no cluster of slipway on this machine.');
}

/** What runs, as text for people. */
export async function clusterStatus(): Promise<string> {
  return (await nativeStatus()) ?? (await kindStatus()) ?? 'There is no cluster of slipway on this machine.';
}

/** `INGRESS_PORT` and `FORK_SOURCES` (URLs, separated by commas). */
export function optionsFromEnvironment(
  env: Record<string, string | undefined> = process.env,
): ClusterOptions {
  const ingressPort = Number(env.INGRESS_PORT || DEFAULT_INGRESS_PORT);
  if (!Number.isInteger(ingressPort) || ingressPort < 1 || ingressPort > 65_535) {
    throw new UserError(`INGRESS_PORT=${env.INGRESS_PORT} is no port`);
  }
  return { ingressPort, forkSources: (env.FORK_SOURCES ?? '').split(',').filter(Boolean) };
}

async function ensureAnyCluster(options: ClusterOptions): Promise<Cluster> {
  if (existsSync(layout.state)) return ensureNativeCluster(options);
  if (await canUseKind()) return ensureKindOrNative(options);
  if (await hasDocker()) say('Docker answers, but there is no `kind` command: using the native node.');
  return ensureNativeCluster(options);
}

async function ensureKindOrNative(options: ClusterOptions): Promise<Cluster> {
  try {
    return await ensureKindCluster(options);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    say(
      `kind cannot be used here (is its node image out of reach?), using the native node:\n${error.message}`,
    );
    return ensureNativeCluster(options);
  }
}

function isClusterKind(kind: string): kind is ClusterKind {
  return Object.hasOwn(makers, kind);
}
