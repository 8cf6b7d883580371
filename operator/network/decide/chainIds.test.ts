import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { aNetwork } from '../testing/facts.ts';
import { isChainIdTaken, isChainIdUsed } from './chainIds.ts';

const chainID = '1073741999';

function holder(
  uid: string,
  minute: string,
  status: NetworkResource['status'] = {},
): Stored<NetworkResource> {
  const network = aNetwork({}, { status: { chainID, ...status } });
  const metadata = { ...network.metadata, uid, creationTimestamp: `2030-01-02T03:${minute}:00Z` };
  return { ...network, metadata };
}

const from = { incarnation: 'i', snapshot: 's', id: 's-1', digest: 'd', parts: 1, block: 1 };
const cloneFrom = (uid: string, minute: string) => holder(uid, minute, { from: { ...from, chainID } });

it.each<[string, Stored<NetworkResource>, Stored<NetworkResource>, boolean]>([
  ['the older of two that have it keeps it', holder('b', '02'), holder('a', '01'), true],
  ['a younger one does not take it', holder('a', '01'), holder('b', '02'), false],
  ['an original keeps it although its clone is older', holder('b', '02'), cloneFrom('a', '01'), false],
  ['a clone does not take it from an older original', cloneFrom('b', '02'), holder('a', '01'), true],
])('%s', (_case, network, other, isTaken) => {
  expect(isChainIdTaken([network, other], network, chainID)).toBe(isTaken);
});

it('networks of other workspaces have no precedence, whatever their age', () => {
  const { metadata, ...other } = holder('a', '01');
  const elsewhere = { ...other, metadata: { ...metadata, namespace: 'elsewhere' } };
  expect(isChainIdTaken([elsewhere], holder('b', '02'), chainID)).toBe(false);
});

it('no network in the installation has the id that is generated', () => {
  const [network, other] = [holder('a', '01'), holder('b', '02')];
  expect([isChainIdUsed([network], network), isChainIdUsed([network, other], network)]).toEqual([
    false,
    true,
  ]);
});

it('a clone has precedence over a network that does not have the id yet', () => {
  const newcomer = holder('b', '00', { chainID: '1' });
  expect(isChainIdTaken([cloneFrom('a', '01')], newcomer, chainID)).toBe(true);
});
