import type { NetworkResource } from '../../core/api/resources/network.ts';
import { receiptOf } from '../../core/deploy/receipts.ts';
import type { Reflector } from '../../core/kube/cache/reflector.ts';
import type { ChainOf } from '../ports/chains.ts';

/** Whether the chain that something was deployed on is still its network's. */
type Life = 'present' | 'over' | 'unknown';

interface Deployed {
  /** uid. */
  network: string;
  /** status.enclaveID when it was deployed. */
  incarnation: string;
  /** Of one of its transactions. */
  hash: string | undefined;
}

export type LifeOf = (deployed: Deployed) => Promise<Life>;

/** A persistent network may keep its data over lives: then the chain itself is asked, once for each life. */
export function createLives(deps: {
  networks: Pick<Reflector<NetworkResource>, 'byIndex'>;
  chainOf: ChainOf;
}): LifeOf {
  const looked = new Map<string, Life>();

  async function look({ network, incarnation, hash }: Deployed, enclaveID: string): Promise<Life> {
    const key = `${network}/${incarnation}/${enclaveID}`;
    const known = looked.get(key);
    if (known || !hash) return known ?? 'over';
    const chain = deps.chainOf(network, { enclaveID, signers: {} });
    const life = (await receiptOf(chain, hash)) ? 'present' : 'over';
    looked.set(key, life);
    return life;
  }

  return async (deployed) => {
    const [network] = deps.networks.byIndex('uid', deployed.network);
    if (!network || network.metadata.deletionTimestamp) return 'over';
    const { state, enclaveID } = network.status ?? {};
    const isPersistent = network.spec.persistent === true;
    if ((state === 'Stopped' || state === 'Stopping') && !isPersistent) return 'over';
    if (enclaveID === deployed.incarnation) return state === 'Operational' ? 'present' : 'unknown';
    if (state !== 'Operational' || enclaveID === undefined) return 'unknown';
    return isPersistent ? look(deployed, enclaveID) : 'over';
  };
}
