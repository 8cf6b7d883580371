import { isEvmChain } from '../../core/api/resources/chainSpecs.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { quantitySchema } from '../../core/evm/answers.ts';
import { chainIdCall } from '../../core/evm/chainState.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { incarnationOf, isRunning } from '../../core/networks/incarnation.ts';
import { isInUse } from './inUse.ts';

/** How long an answer is used: networks in use, and those in an error, are reconciled at least this often. */
const claimLifetimeMs = 60_000;
/** How often networks that nobody uses are reconciled. A submission asks the engine anyway. */
const unusedMs = 900_000;
const timeoutMs = 2_000;
const maxRemembered = 20_000;

interface Claim {
  askedMs: number;
  incarnation: string | undefined;
  chainId?: string;
}

/** The chain ids that engines claim: the service signs only for the one in a network's status. */
export interface ChainIdClaims {
  /** What the engine answered last; undefined when it has not answered. Asks it again in the background when due. */
  claimOf(network: Stored<NetworkResource>, nowMs: number): string | undefined;
  /** When to reconcile the network again; `otherwiseMs` is when it is due for other reasons. */
  nextMs(network: NetworkResource, nowMs: number, otherwiseMs: number | undefined): number | undefined;
  /** For a network that is gone. */
  forget(networkUid: string): void;
}

/** Whether a network's engine can be asked. */
function hasChainIdClaim(network: NetworkResource): boolean {
  return isEvmChain(network.spec.chain.type) && (isRunning(network) || network.status?.state === 'Error');
}

export function createChainIdClaims(rpcOf: (networkUid: string) => EvmRpc | undefined): ChainIdClaims {
  const claims = createBoundedMap<string, Claim>(maxRemembered);

  async function ask(rpc: EvmRpc, claim: Claim): Promise<void> {
    const answer = await rpc.call(chainIdCall.method, chainIdCall.params, { timeoutMs });
    claim.chainId = String(quantitySchema.parse(answer));
  }

  return {
    claimOf(network, nowMs) {
      const { uid } = network.metadata;
      const incarnation = incarnationOf(network);
      const last = claims.get(uid);
      const known = last?.incarnation === incarnation ? last : undefined;
      const isDue = hasChainIdClaim(network) && (!known || nowMs - known.askedMs >= claimLifetimeMs);
      const rpc = isDue ? rpcOf(uid) : undefined;
      if (rpc) {
        const claim: Claim = { ...known, askedMs: nowMs, incarnation };
        claims.set(uid, claim);
        // An engine that does not answer is the concern of its probes.
        ask(rpc, claim).catch(() => undefined);
      }
      return known?.chainId;
    },
    nextMs(network, nowMs, otherwiseMs) {
      if (!hasChainIdClaim(network)) return otherwiseMs;
      const isUnused = isRunning(network) && !isInUse(network, nowMs);
      const dueMs = isUnused ? unusedMs : claimLifetimeMs;
      return Math.min(otherwiseMs ?? dueMs, dueMs);
    },
    forget: claims.delete,
  };
}
