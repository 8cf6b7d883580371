import { networkType, secretType } from '../../../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../../../core/kube/testing/fake/fake.ts';
import type { SlipwayError } from '../../../../sdk/src/error.ts';
import type { NetworkCreate } from '../../../../sdk/src/generated/types.ts';
import { startInstallation, type TestInstallation } from '../../../../sdk/testing/installation.ts';
import { withLabels } from '../../forms/labels.ts';
import { createWithKey } from './createWithKey.ts';

let kube: FakeKube;
let installation: TestInstallation;
beforeEach(async () => {
  kube = createFakeKube();
  const users = [{ userId: 'ann', workspaceId: 'one', namespace: 'ws-one' }];
  installation = await startInstallation({ kube, users });
});
afterEach(() => installation.stop());

const bodyOf = (ethereum: object): NetworkCreate => ({
  name: 'mine',
  spec: { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'mine-key' }, ...ethereum } } },
});
const present = async () =>
  Promise.all([networkType, secretType].map(async (type) => (await kube.list(type)).items.length));

it('a network that is refused leaves no key behind, so that the corrected one can have it', async () => {
  const { client } = installation;
  const refused = createWithKey(client, { body: bodyOf({ blockTime: -1 }), newKey: 'mine-key' });
  await expect(refused).rejects.toMatchObject({ status: 400 });
  expect(await present()).toEqual([0, 0]);
  await createWithKey(client, { body: bodyOf({}), newKey: 'mine-key' });
  expect(await present()).toEqual([1, 1]);
});

it('all that is wrong is in one error, with and without a key, and nothing is created', async () => {
  const { client } = installation;
  const body = { ...bodyOf({ blockTime: -1, chainID: 'x' }), name: 'A B' };
  const refused = createWithKey(client, { body, newKey: 'A B-key' });
  const error = await refused.catch((thrown: SlipwayError) => thrown);
  expect(error).toMatchObject({ status: 400 });
  const paths = 'details' in error ? error.details.map(({ path }) => path) : [];
  expect(paths.sort()).toEqual(['name', 'spec.chain.ethereum.blockTime', 'spec.chain.ethereum.chainID']);
  expect(await present()).toEqual([0, 0]);
});

it.each([undefined, 'A B-key'])(
  'labels that are none are named along with all else, and nothing is created (key %s)',
  async (newKey) => {
    const body = withLabels({ ...bodyOf({ blockTime: -1 }), name: 'A B' }, 'foo');
    const error = await createWithKey(installation.client, { body, newKey }).catch(
      (thrown: SlipwayError) => thrown,
    );
    const paths = 'details' in error ? error.details.map(({ path }) => path) : [];
    expect(paths.sort()).toEqual(['metadata.labels', 'name', 'spec.chain.ethereum.blockTime']);
    expect(await present()).toEqual([0, 0]);
  },
);

it('a key that is there already and a wrong setting are named together', async () => {
  const { client } = installation;
  await createWithKey(client, { body: bodyOf({}), newKey: 'mine-key' });
  const body = { ...bodyOf({ blockTime: -1 }), name: 'other' };
  const error = await createWithKey(client, { body, newKey: 'mine-key' }).catch(
    (thrown: SlipwayError) => thrown,
  );
  const paths = 'details' in error ? error.details.map(({ path }) => path) : [];
  expect(paths.sort()).toEqual(['spec.chain.ethereum.blockTime', 'spec.chain.ethereum.privateKeyRef.name']);
});

it('a key that is there already is named, and stays', async () => {
  const { client } = installation;
  await createWithKey(client, { body: bodyOf({}), newKey: 'mine-key' });
  const again = createWithKey(client, { body: { ...bodyOf({}), name: 'other' }, newKey: 'mine-key' });
  await expect(again).rejects.toMatchObject({
    details: [{ path: 'spec.chain.ethereum.privateKeyRef.name' }],
  });
  expect(await present()).toEqual([1, 1]);
});
