import type { NetworkSpec } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import { aNetwork, aRecording } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
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
