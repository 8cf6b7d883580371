import type { NetworkResource, NetworkSpec } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { aNetwork, aRecording } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { networkVerdict } from './networkVerdict.ts';

const recording = asStored(aRecording());
const progress = { network: 'net', networkID: 'uid', enclaveID: 'one', firstBlock: 2, lastBlock: 7 };
const ended = (enclaveID: string) => ({ enclaveID, endedAt: '2026-01-01T00:00:00Z', reason: 'reset' });
const from = { incarnation: 'x', snapshot: 's', id: 'u', digest: 'd', parts: 1, chainID: '1', block: 3 };
const nodes: Partial<NetworkSpec> = {
  chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'hot-key' }, participants: [{ count: 2 }] } },
};

it.each<[string, Partial<NetworkSpec>, NetworkStatus, string]>([
  ['its chain runs', {}, { enclaveID: 'one' }, 'go'],
  ['it began a new chain', {}, { enclaveID: 'two' }, 'end'],
  ['one of its nodes was replaced', nodes, { enclaveID: 'two' }, 'go'],
  ['all of its nodes began a new chain', nodes, { enclaveID: 'two', previousChain: ended('one') }, 'end'],
  ['it is persistent, and its pod was replaced', { persistent: true }, { enclaveID: 'two' }, 'go'],
  [
    'it is persistent, and was reset',
    { persistent: true },
    { enclaveID: 'two', previousChain: ended('one') },
    'end',
  ],
  ['it was reverted to a snapshot', {}, { enclaveID: 'two', from, previousChain: ended('one') }, 'end'],
  ['its new pod starts', nodes, { enclaveID: 'two', state: 'Pending' }, 'wait'],
  ['it was stopped', {}, { enclaveID: 'one', state: 'Stopped', previousChain: ended('one') }, 'wait'],
])('a network of a recording: %s', (_case, spec, status, kind) => {
  const metadata = { uid: 'uid' };
  const network = asStored(aNetwork({ spec, metadata, status: { state: 'Operational', ...status } }));
  expect(networkVerdict({ recording, network, progress }).kind).toBe(kind);
});

describe('a recording whose manifest names where a chain was, of which nothing was read yet', () => {
  const head = { network: 'net', networkID: 'uid', enclaveID: 'one', chainID: '1', block: 1, hash: '0x0' };
  const applied = asStored(aRecording({ spec: { start: [head] } }));
  const networkWith = (uid: string, enclaveID: string) =>
    asStored(aNetwork({ metadata: { uid }, status: { state: 'Operational', enclaveID } }));
  const gone = /^the network has another chain than the one that spec.start names: .* new recording$/;

  it.each<[string, Stored<NetworkResource> | undefined, string, RegExp | undefined]>([
    ['is not there yet', undefined, 'wait', /^network "net" does not exist in this workspace: create it$/],
    ['has that chain', networkWith('uid', 'one'), 'go', undefined],
    ['has another chain', networkWith('uid', 'two'), 'end', gone],
    ['is another one', networkWith('other', 'one'), 'end', gone],
  ])('its network %s', (_what, network, kind, message) => {
    const verdict = networkVerdict({ recording: applied, network, progress });
    expect(verdict.kind).toBe(kind);
    if (verdict.kind !== 'go') expect(verdict.message).toMatch(message ?? '');
  });

  it('has ended once its chain was read, and the network is deleted', () => {
    const read = { ...progress, genesisHash: '0x1' };
    const verdict = networkVerdict({ recording: applied, network: undefined, progress: read });
    expect(verdict).toEqual({ kind: 'end', message: 'the network was deleted' });
  });

  it('ends when it is stopped before its network is there', () => {
    const stopped = asStored(aRecording({ spec: { start: [head], stopped: true } }));
    expect(networkVerdict({ recording: stopped, network: undefined, progress }).kind).toBe('end');
  });
});
