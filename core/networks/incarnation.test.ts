import type { NetworkSpec } from '../api/resources/network.ts';
import type { NetworkState } from '../api/resources/networkStatus.ts';
import { aNetwork } from '../api/testing/builders.ts';
import { compact } from '../lib/compact.ts';
import { type ChainStanding, chainStanding } from './incarnation.ts';

interface Given {
  state?: NetworkState;
  /** The incarnation that the status names. */
  enclaveID?: string;
  persistent?: boolean;
  /** Whether its chain began from a snapshot. */
  isClone?: boolean;
  /** Whether it has nodes that restore the chain from each other. */
  hasNodes?: boolean;
  /** The incarnation that ended last. */
  ended?: string;
  isDeleting?: boolean;
}

const from = { incarnation: 'x', snapshot: 's', id: 'u', digest: 'd', parts: 1, chainID: '1', block: 3 };

const nodes: Partial<NetworkSpec> = {
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' }, participants: [{ count: 2 }] } },
};

function networkOf({ state, enclaveID, persistent, isClone, hasNodes, ended, isDeleting }: Given) {
  const previousChain = ended && { enclaveID: ended, endedAt: '2026-01-01T00:00:00Z', reason: 'reset' };
  const network = aNetwork({ spec: { ...compact({ persistent }), ...(hasNodes ? nodes : {}) } });
  return {
    ...network,
    metadata: {
      ...network.metadata,
      uid: 'uid-1',
      ...(isDeleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    status: {
      ...(state ? { state } : {}),
      ...(enclaveID ? { enclaveID } : {}),
      ...(isClone ? { from } : {}),
      ...(previousChain ? { previousChain } : {}),
    },
  };
}

const same = 'one';
const other = 'two';

describe('the standing of a known chain', () => {
  it.each<[string, Given | undefined, ChainStanding]>([
    ['the network is gone', undefined, 'deleted'],
    ['the network is being deleted', { state: 'Operational', enclaveID: same, isDeleting: true }, 'deleted'],
    ['it runs the same chain', { state: 'Operational', enclaveID: same }, 'current'],
    ['the same engine is starting again', { state: 'Pending', enclaveID: same }, 'current'],
    ['the same engine has failed', { state: 'Error', enclaveID: same }, 'current'],
    ['it runs another chain', { state: 'Operational', enclaveID: other }, 'replaced'],
    ['it was never up', { state: 'Pending' }, 'unknown'],
    ['another engine is starting', { state: 'Pending', enclaveID: other }, 'unknown'],
    ['another engine has failed', { state: 'Error', enclaveID: other }, 'unknown'],
    ['its status does not name a chain', { state: 'Operational' }, 'unknown'],
    ['it is being stopped, which loses the data', { state: 'Stopping', enclaveID: same }, 'stopping'],
    ['it was stopped, which lost the data', { state: 'Stopped', enclaveID: same }, 'stopped'],
    ['a persistent one runs it', { state: 'Operational', enclaveID: same, persistent: true }, 'current'],
    [
      'a persistent one runs under another incarnation and may have kept its data',
      { state: 'Operational', enclaveID: other, persistent: true },
      'unverified',
    ],
    [
      'it was reverted to a snapshot, which may have what was on the chain',
      { state: 'Operational', enclaveID: other, isClone: true },
      'unverified',
    ],
    [
      'another of its nodes was replaced',
      { state: 'Operational', enclaveID: other, hasNodes: true },
      'unverified',
    ],
    [
      'all of its nodes began another chain',
      { state: 'Operational', enclaveID: other, hasNodes: true, ended: same },
      'replaced',
    ],
    [
      'a persistent one was reset',
      { state: 'Operational', enclaveID: other, persistent: true, ended: same },
      'replaced',
    ],
    [
      'a persistent one was reset before this chain began',
      { state: 'Operational', enclaveID: other, persistent: true, ended: 'zero' },
      'unverified',
    ],
    [
      'it was reverted, and ended to begin from the snapshot',
      { state: 'Operational', enclaveID: other, isClone: true, ended: same },
      'unverified',
    ],
    [
      'a persistent one was stopped with it',
      { state: 'Stopped', enclaveID: same, persistent: true },
      'current',
    ],
    [
      'a persistent one was stopped under another incarnation',
      { state: 'Stopped', enclaveID: other, persistent: true },
      'unknown',
    ],
    ['its status says nothing yet', {}, 'unknown'],
  ])('%s', (_reason, given, standing) => {
    const network = given && networkOf(given);
    expect(chainStanding(network, { networkID: 'uid-1', incarnation: same })).toBe(standing);
  });

  it('another network of the same name counts as deleted', () => {
    const network = networkOf({ state: 'Operational', enclaveID: same });
    expect(chainStanding(network, { networkID: 'uid-2', incarnation: same })).toBe('deleted');
  });

  it('without a uid, a network of the same name counts', () => {
    const network = networkOf({ state: 'Operational', enclaveID: same });
    expect(chainStanding(network, { incarnation: same })).toBe('current');
  });

  it('an unknown incarnation is never the current one', () => {
    const network = networkOf({ state: 'Operational' });
    expect(chainStanding(network, { incarnation: undefined })).toBe('unknown');
  });
});
