import { findById } from '../../core/api/ids.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import { findBlockOf, type Mined } from '../../core/deploy/anchor.ts';
import { readReceipt } from '../../core/evm/receipts.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import { createBoundedMap } from '../../core/lib/boundedMap.ts';
import { chainStanding, incarnationOf, isRunning } from '../../core/networks/incarnation.ts';
import type { ChainOf } from './chains.ts';

/** Whether the chain that something was deployed on can be used, is gone, or cannot be reached now. */
export type VerifiedStanding = 'current' | 'gone' | 'unknown';

interface Deployed {
  namespace: string;
  /** Id of the network. */
  network: string;
  /** status.enclaveID when it was deployed. */
  incarnation: string;
  /** One of its transactions. */
  mined: Mined | undefined;
}

export type VerifyChain = (deployed: Deployed) => Promise<VerifiedStanding>;

const maxRemembered = 20_000;

/** A persistent network may keep its data in a new incarnation: then the chain itself is asked, once per incarnation and transaction. */
export function createVerifyChain(deps: {
  networks: Pick<Reflector<NetworkResource>, 'byIndex'>;
  chainOf: ChainOf;
}): VerifyChain {
  const verified = createBoundedMap<string, VerifiedStanding>(maxRemembered);

  async function verify(
    { namespace, network, incarnation, mined }: Deployed,
    enclaveID: string,
  ): Promise<VerifiedStanding> {
    if (!mined?.hash) return 'gone';
    const key = [namespace, network, incarnation, enclaveID, mined.hash].join('/');
    const known = verified.get(key);
    if (known) return known;
    const chain = deps.chainOf(network, { namespace, enclaveID, signers: {} });
    const isThere = (await readReceipt(chain, mined.hash)) ?? (await findBlockOf(chain, mined));
    const standing = isThere ? 'current' : 'gone';
    verified.set(key, standing);
    return standing;
  }

  return async (deployed) => {
    const network = findById(deps.networks, deployed.namespace, deployed.network);
    const standing = chainStanding(network, {
      networkID: deployed.network,
      incarnation: deployed.incarnation,
    });
    if (standing === 'current') return isRunning(network) ? 'current' : 'unknown';
    if (standing === 'unverified') return verify(deployed, incarnationOf(network) ?? '');
    return standing === 'unknown' ? 'unknown' : 'gone';
  };
}
