import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { NetworkStatus } from '../../core/api/resources/networkStatus.ts';
import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import { aNetwork } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { type DeploymentEntry, deploymentStateOf } from './deploymentState.ts';

const entry: DeploymentEntry = { network: 'net', args: { total_supply: '1' } };
const running: NetworkStatus = { state: 'Operational', enclaveID: 'one' };
const network = (status: NetworkStatus, spec: object = {}): Stored<NetworkResource> => {
  const plain = aNetwork({ name: 'net' });
  return asStored({
    ...plain,
    metadata: { ...plain.metadata, uid: 'n-1' },
    spec: { ...plain.spec, ...spec },
    status,
  });
};
const begun = deploymentStateOf({ entry, before: undefined, network: network(running) });
const deployed: DeploymentStatus = { ...begun, state: 'Deployed', deploymentTx: `0x${'1'.repeat(64)}` };
const { message: _, ...clean } = deployed;
const failed: DeploymentStatus = { ...begun, state: 'Error', message: 'reverted' };

it('an address with a wrong checksum, which kube-apiserver cannot see, is an error that names it', () => {
  const args = { total_supply: '1', owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' };
  const state = deploymentStateOf({
    entry: { ...entry, args },
    before: undefined,
    network: network(running),
  });
  expect(state).toMatchObject({
    state: 'Error',
    message: expect.stringMatching(/^spec.deployments\[\].args.owner has a wrong checksum/),
  });
  expect(state.enclaveID).toBeUndefined();
});

it('a new deployment starts on a running network, and remembers its chain', () => {
  expect(begun).toMatchObject({
    state: 'Deploying',
    networkID: 'n-1',
    enclaveID: 'one',
    incarnation: 'one',
    observedNonce: 0,
  });
});

it('one that never began is lost only until its network is there, whichever manifest was applied first', () => {
  const wanted = { ...entry, networkID: 'n-1' };
  const before = deploymentStateOf({ entry: wanted, before: undefined, network: undefined });
  expect(before).toMatchObject({ state: 'Lost', message: expect.stringContaining('has the id n-1') });
  expect(deploymentStateOf({ entry: wanted, before, network: undefined })).toEqual(before);
  const { state, networkID } = deploymentStateOf({ entry: wanted, before, network: network(running) });
  expect([state, networkID]).toEqual(['Deploying', 'n-1']);
});

it.each<
  [string, DeploymentStatus | undefined, Stored<NetworkResource> | undefined, Partial<DeploymentStatus>]
>([
  ['waits for a network that is starting', undefined, network({ state: 'Pending' }), { state: 'Pending' }],
  ['waits for a network that does not exist yet', undefined, undefined, { state: 'Pending' }],
  ['stays as it is on the same chain', clean, network(running), clean],
  [
    'stays while its network is in Error',
    clean,
    network({ state: 'Error', enclaveID: 'one' }),
    { state: 'Deployed' },
  ],
  ['is lost with its network', clean, undefined, { state: 'Lost' }],
  [
    'is lost when its network began a new chain',
    clean,
    network({ ...running, enclaveID: 'two' }),
    { state: 'Lost' },
  ],
  [
    'is lost when its network stopped',
    clean,
    network({ state: 'Stopped', enclaveID: 'one' }),
    { state: 'Lost' },
  ],
  [
    'is not lost while a persistent network may have kept it',
    clean,
    network({ ...running, enclaveID: 'two' }, { persistent: true }),
    { state: 'Deployed' },
  ],
  [
    'goes on where it stopped while a persistent network may have kept what was sent',
    begun,
    network({ ...running, enclaveID: 'two' }, { persistent: true }),
    begun,
  ],
  [
    'that failed is not lost while a persistent network may have kept what was sent',
    failed,
    network({ ...running, enclaveID: 'two' }, { persistent: true }),
    failed,
  ],
  [
    'starts again when its network starts a new chain meanwhile',
    begun,
    network({ ...running, enclaveID: 'two' }),
    { state: 'Deploying', enclaveID: 'two', incarnation: 'two' },
  ],
  ['that is lost stays lost', { ...clean, state: 'Lost' }, network(running), { state: 'Lost' }],
])('a deployment %s', (_reason, before, present, expected) => {
  expect(deploymentStateOf({ entry, before, network: present })).toMatchObject(expected);
});

it.each<[string, DeploymentStatus, DeploymentEntry, { isSame: boolean; isRepaired?: boolean }]>([
  [
    'that failed continues where it stopped',
    failed,
    { ...entry, nonce: 3 },
    { isSame: true, isRepaired: true },
  ],
  [
    'that failed starts over with other args',
    failed,
    { ...entry, nonce: 3, args: { total_supply: '2' } },
    { isSame: false },
  ],
  ['that was lost is new', { ...clean, state: 'Lost' }, { ...entry, nonce: 3 }, { isSame: false }],
])('a deployment %s when it is asked for again', (_reason, before, wanted, { isSame, isRepaired }) => {
  const next = deploymentStateOf({ entry: wanted, before, network: network(running) });
  expect(next).toMatchObject({ state: 'Deploying', observedNonce: 3 });
  expect(next.attempt === before.attempt).toBe(isSame);
  expect(next.isRepaired).toBe(isRepaired);
});

it('changed args without a changed nonce change nothing', () => {
  const wanted = { ...entry, args: { total_supply: '9' } };
  expect(deploymentStateOf({ entry: wanted, before: clean, network: network(running) })).toEqual(clean);
});

it('a token is not deployed on another network with the same name', () => {
  const wanted = { ...entry, networkID: 'another' };
  expect(deploymentStateOf({ entry: wanted, before: undefined, network: network(running) }).state).toBe(
    'Lost',
  );
});
