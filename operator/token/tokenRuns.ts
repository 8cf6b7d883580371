import { labels } from '../../core/api/names.ts';
import type { DeploymentStatus, TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { incarnationOf, isRunning } from '../../core/networks/incarnation.ts';
import type { ReconcileResult } from '../runtime/controller.ts';
import { isOpen, isUnverified } from './deploymentState.ts';
import type { TokenDeps } from './deps.ts';
import { runToken } from './run.ts';
import type { UpdateStatus } from './statusWriter.ts';

/** A permanent failure may still be fixed from outside, for example with funds: it is retried less and less often. */
const failedMs = 30_000;
const longestFailedMs = 600_000;

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

export function createTokenRuns(deps: TokenDeps, updateStatus: UpdateStatus): TokenRuns {
  const failures = new Map<string, number>();
  /** Tokens that their queue will bring back, with what the last run started from. */
  const resting = new Map<string, string>();
  /** Runs under way, with the deployments that each knows of. */
  const underWay = new Map<string, { known: string; stop(): void }>();

  function retryOf(uid: string, hasFailed: boolean): ReconcileResult {
    const count = failures.get(uid) ?? 0;
    if (!hasFailed) {
      failures.delete(uid);
      return {};
    }
    failures.set(uid, count + 1);
    return { requeueAfterMs: Math.min(longestFailedMs, failedMs * 2 ** count) };
  }

  return {
    async reconcile(uid, signal) {
      const [token] = deps.caches.tokens.byIndex('uid', uid);
      if (!token || !needsRun(deps, token)) return {};
      const stopping = new AbortController();
      const basis = basisOf(deps, token);
      resting.delete(uid);
      underWay.set(uid, { known: knownBy(token), stop: () => stopping.abort() });
      try {
        const either = AbortSignal.any([signal, stopping.signal]);
        const { hasFailed } = await runToken(token, { deps, updateStatus, signal: either });
        if (hasFailed) resting.set(uid, basis);
        return retryOf(uid, hasFailed);
      } catch (error) {
        if (stopping.signal.aborted) return { requeueAfterMs: 0 };
        resting.set(uid, basis);
        throw error;
      } finally {
        underWay.delete(uid);
      }
    },
    isNeeded: (token) => needsRun(deps, token) && resting.get(token.metadata.uid) !== basisOf(deps, token),
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

/** Everything outside the chains that the outcome of a run depends on. */
function basisOf({ caches }: TokenDeps, token: Stored<TokenResource>): string {
  const { namespace, labels: own } = token.metadata;
  const networks = (token.status?.deployments ?? []).map(({ network: name }) => {
    const network = caches.networks.get({ namespace, name });
    return [network?.metadata.uid, incarnationOf(network), isRunning(network)].join('/');
  });
  return [own?.[labels.owner], knownBy(token), ...networks].join();
}

function needsRun({ caches }: TokenDeps, { metadata, status }: Stored<TokenResource>): boolean {
  const networkOf = ({ network }: DeploymentStatus) =>
    caches.networks.get({ namespace: metadata.namespace, name: network });
  return (status?.deployments ?? []).some(
    (one) => isOpen(one) || (one.state === 'Deployed' && isUnverified(one, networkOf(one))),
  );
}
