import { labels } from '../../core/api/names.ts';
import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { doubledMs } from '../../core/lib/work/backoff.ts';
import { incarnationOf, isRunning } from '../../core/networks/incarnation.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { isOpen, isUnverified } from './deploymentState.ts';
import type { TokenDeps } from './deps.ts';
import { runToken } from './run.ts';
import type { UpdateStatus } from './statusWriter.ts';

/** A permanent failure may still be fixed from outside, for example with funds: it is retried less and less often. */
const backoff = { baseMs: 30_000, maxMs: 600_000 };

/** The work on the chains, by token uid. */
export interface TokenRuns {
  /** Takes the remaining steps of a token. */
  reconcile(uid: string, signal: AbortSignal): Promise<ReconcileResult>;
  /** Whether a run would have anything to do now. One that failed is repeated by its queue, unless something changed. */
  isNeeded(token: Stored<TokenResource>): boolean;
  /** Ends a run that started before the token changed, so that a new request does not wait for a slow network. */
  stopOutdated(token: Stored<TokenResource>): void;
  forget(uid: string): void;
}

/** Whether the chain was rolled back past what a deployment was verified on. */
type IsGone = (namespace: string, one: DeploymentStatus) => boolean;

export function createTokenRuns(deps: TokenDeps, updateStatus: UpdateStatus, isGone: IsGone): TokenRuns {
  const needsRun = (token: Stored<TokenResource>) => isDue(deps, token, isGone);
  const basisOf = (token: Stored<TokenResource>) => conditionsOf(deps, token, isGone);

  const failures = new Map<string, number>();
  /** What the last run of a token started from: as long as that is the same, another one would end the same. */
  const resting = new Map<string, string>();
  /** Runs under way, with the deployments that each knows of. */
  const underWay = new Map<string, { known: string; stop(): void }>();

  function retryOf(uid: string, hasFailed: boolean): ReconcileResult {
    const count = (failures.get(uid) ?? 0) + 1;
    if (!hasFailed) {
      failures.delete(uid);
      return {};
    }
    failures.set(uid, count);
    return { requeueAfterMs: doubledMs(count, backoff) };
  }

  return {
    async reconcile(uid, signal) {
      const [token] = deps.caches.tokens.byIndex('uid', uid);
      if (!token || !needsRun(token)) return {};
      const stopping = new AbortController();
      resting.set(uid, basisOf(token));
      underWay.set(uid, { known: knownBy(token), stop: () => stopping.abort() });
      try {
        const either = AbortSignal.any([signal, stopping.signal]);
        const { hasFailed } = await runToken(token, { deps, updateStatus, signal: either });
        return retryOf(uid, hasFailed);
      } catch (error) {
        if (stopping.signal.aborted) return { requeueAfterMs: 0 };
        throw error;
      } finally {
        underWay.delete(uid);
      }
    },
    isNeeded: (token) => needsRun(token) && resting.get(token.metadata.uid) !== basisOf(token),
    stopOutdated(token) {
      const run = underWay.get(token.metadata.uid);
      if (run && run.known !== knownBy(token)) run.stop();
    },
    forget(uid) {
      failures.delete(uid);
      resting.delete(uid);
    },
  };
}

/** Which deployments of a token a run would work on. */
function knownBy({ status }: Stored<TokenResource>): string {
  const begun = (status?.deployments ?? []).filter(({ state }) => state !== 'Pending' && state !== 'Lost');
  return begun.map(({ network, attempt, observedNonce }) => `${network}/${attempt}/${observedNonce}`).join();
}

/** Everything outside the chains that the outcome of a run depends on, and whether the chains were rolled back. */
function conditionsOf({ caches }: TokenDeps, token: Stored<TokenResource>, isGone: IsGone): string {
  const { namespace, labels: own } = token.metadata;
  const networks = (token.status?.deployments ?? []).map((one) => {
    const network = caches.networks.get({ namespace, name: one.network });
    const gone = isGone(namespace, one) ? one.anchor?.hash : '';
    return [network?.metadata.uid, incarnationOf(network), isRunning(network), gone].join('/');
  });
  return [own?.[labels.owner], knownBy(token), ...networks].join();
}

/**
 * A run is due while a deployment is not there or not connected to all others, and when it is not known to be as it was: it was
 * verified on another incarnation, by an earlier version, or on a block that the chain no longer has.
 */
function isDue({ caches }: TokenDeps, { metadata, status }: Stored<TokenResource>, isGone: IsGone): boolean {
  return (status?.deployments ?? []).some((one) => {
    if (isOpen(one)) return true;
    if (one.state !== 'Deployed') return false;
    const network = caches.networks.get({ namespace: metadata.namespace, name: one.network });
    const isVerified = one.anchor !== undefined && !isGone(metadata.namespace, one);
    return isUnverified(one, network) || (!isVerified && isRunning(network));
  });
}
