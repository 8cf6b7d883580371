import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { compact } from '../../core/lib/compact.ts';
import { hasChain } from '../../core/networks/chainChange.ts';

type Network = Pick<NetworkResource, 'spec' | 'status'>;

/** What the data of a network's chain does in a restore. */
export type Fate = 'no chain' | 'kept' | 'new chain';

/** What happens to a network's chain; `isSaved` says whether its volumes are in the backup. */
export function fateOf(network: Network, isSaved: boolean): Fate {
  if (!hasChain(network) || network.spec.chain.type === 'LayerZero') return 'no chain';
  return isSaved && canMove(network) ? 'kept' : 'new chain';
}

/**
 * Whether a chain runs on from its data alone. The keys of nodes and validators follow from the uid of their network,
 * which is another one after a restore.
 */
export function canMove({ status }: Network): boolean {
  return status?.storage === 'Volume' && status.engineKey === undefined;
}

/**
 * The status of a network whose chain is not in the backup, as a reset would leave it: what depends on the former chain
 * (sent transactions, tokens, recordings) learns that it ended.
 */
export function withNewChain(
  { status = {} }: Pick<Network, 'status'>,
  takenAt: string,
): Partial<Record<keyof NetworkStatus, unknown>> {
  const { incarnation, enclaveID } = status;
  if (!incarnation || enclaveID === undefined) return status;
  const { startedAt: _, losses: __, adjusted: ___, volume: ____, copies: _____, ...begun } = incarnation;
  return {
    ...status,
    ...waiting(status),
    incarnation: { ...begun, number: begun.number + 1, revision: 0 },
    previousChain: { enclaveID, endedAt: takenAt, reason: 'the backup has no copy of its data' },
    storage: undefined,
  };
}

/** The status of a network that runs on from its volumes: it has no pods yet, and its volume gets another uid. */
export function waiting({ state, incarnation }: NetworkStatus): Partial<NetworkStatus> {
  const isDown = state === 'Stopped' || state === 'Stopping';
  return {
    ...(isDown ? {} : { state: 'Pending', message: 'restored from a backup' }),
    ...compact({ incarnation: incarnation && withoutVolume(incarnation) }),
  };
}

function withoutVolume({ volume: _, copies: __, ...incarnation }: NonNullable<NetworkStatus['incarnation']>) {
  return incarnation;
}
