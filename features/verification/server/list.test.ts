import { annotations, apiVersion, labels } from '../../../core/api/names.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { type VerifiedContractResource, verifiedContractType } from '../api/verifiedContract.ts';
import { createListVerified } from './list.ts';

const address = `0x${'a'.repeat(40)}`;
const summary = {
  address,
  name: 'src/Counter.sol:Counter',
  compiler: '0.8.28',
  match: 'match',
  runtimeMatch: 'match',
  codeHash: `0x${'0'.repeat(64)}`,
  verifiedAt: '2031-01-31T12:00:00Z',
};

function aContract(name: string, networkID: string, enclaveID: string, isVerified = true) {
  const attempt = { id: 'x', startedAt: '2031-01-31T12:00:00Z' };
  const noted = { [annotations.contract]: JSON.stringify({ ...summary, bytes: 1 }) };
  return {
    apiVersion,
    kind: 'VerifiedContract',
    metadata: {
      name,
      namespace: 'ws-one',
      labels: { [labels.network]: networkID, [labels.incarnation]: enclaveID },
      ...(isVerified ? { annotations: noted } : {}),
    },
    spec: { network: networkID, networkID, enclaveID, address, attempt },
  } satisfies VerifiedContractResource;
}

it('lists what was verified on a chain, or on all of the workspace, and no attempts', async () => {
  const kube = createFakeKube();
  kube.seed(verifiedContractType, aContract('a', 'n1', 'e-1'));
  kube.seed(verifiedContractType, aContract('b', 'n1', 'e-0'));
  kube.seed(verifiedContractType, aContract('c', 'n2', 'e-1'));
  kube.seed(verifiedContractType, aContract('d', 'n1', 'e-1', false));
  const list = createListVerified(kube);
  const chain = { networkID: 'n1', enclaveID: 'e-1' };
  const { runtimeMatch: _runtime, codeHash: _hash, ...entry } = summary;
  expect(await list({ namespace: 'ws-one', chain })).toEqual([{ ...entry, ...chain }]);
  const all = await list({ namespace: 'ws-one' });
  expect(all.map(({ networkID, enclaveID }) => `${networkID} ${enclaveID}`).sort()).toEqual([
    'n1 e-0',
    'n1 e-1',
    'n2 e-1',
  ]);
  expect(await list({ namespace: 'ws-two' })).toEqual([]);
});
