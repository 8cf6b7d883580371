import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import { connectionsBefore, withConnections, withVerified } from './connections.ts';

const deployed = (network: string, more: Partial<DeploymentStatus> = {}): DeploymentStatus => ({
  network,
  networkID: `uid-${network}`,
  incarnation: 'one',
  attempt: 'a',
  state: 'Deployed',
  tokenAddress: `0x${network}`,
  connected: [],
  ...more,
});
const all = (deployments: DeploymentStatus[], networks: string[]) =>
  withVerified(deployments, { planned: new Set(networks), done: new Set(networks) });
const messagesOf = (deployments: DeploymentStatus[], isRunning = (_network: string) => true) =>
  withConnections(deployments, isRunning).map(({ message }) => message);

it('a deployment is complete once it was verified to be connected to all others', () => {
  const three = ['b', 'p', 'q'].map((network) => deployed(network));
  expect(messagesOf(three)[0]).toBe('waiting to be connected to p, q');
  const pair = all(three, ['p', 'q']);
  expect(messagesOf(pair, (network) => network !== 'b')).toEqual([
    'waiting to be connected to p, q',
    'waiting to be connected to b (not running)',
    'waiting to be connected to b (not running)',
  ]);
  expect(messagesOf(all(pair, ['b', 'p', 'q']))).toEqual([undefined, undefined, undefined]);
});

it('what was verified before stays so while a network is away, until the other one has other contracts', () => {
  const three = all(
    ['b', 'p', 'q'].map((network) => deployed(network)),
    ['b', 'p', 'q'],
  );
  const again = all(three, ['p', 'q']);
  expect(messagesOf(again)).toEqual([undefined, undefined, undefined]);
  const moved = again.map((one) => (one.network === 'q' ? { ...one, tokenAddress: '0xother' } : one));
  expect(messagesOf(moved)).toEqual([
    'waiting to be connected to q',
    'waiting to be connected to q',
    undefined,
  ]);
});

it.each<[string, Partial<DeploymentStatus>, string | undefined]>([
  ['is lost', { state: 'Lost' }, undefined],
  ['waits for its network', { state: 'Pending' }, undefined],
  ['is being deployed', { state: 'Deploying' }, 'waiting to be connected to q'],
  ['failed', { state: 'Error' }, 'waiting to be connected to q'],
])(
  'a deployment beside another one that %s waits for it only if that one may still be connected',
  (_reason, more, message) => {
    expect(messagesOf([deployed('p'), deployed('q', more)])[0]).toBe(message);
  },
);

it('a message about something else stays, and one of a former standing goes', () => {
  const own = deployed('p', { message: 'opens the lane: reverted' });
  expect(messagesOf([own, deployed('q')])[0]).toBe('opens the lane: reverted');
  const former = deployed('p', { message: 'waiting to be connected to r' });
  expect(messagesOf([former])).toEqual([undefined]);
});

it('a deployment of a standard that connects nothing, or of an earlier version, waits for nothing', () => {
  const { connected: _, ...plain } = deployed('p');
  expect(messagesOf([plain, deployed('q')])[0]).toBeUndefined();
});

it.each<[string, Partial<DeploymentStatus>, boolean, number]>([
  ['that is still on its chain keeps what it was connected to', { connected: ['one'] }, false, 1],
  ['whose chain was rolled back is connected to nothing that is known', { connected: ['one'] }, true, 0],
  ['that an earlier version reported as deployed is connected to all others', {}, false, 2],
  [
    'that an earlier version reported with what is missing is not connected',
    { message: 'waiting' },
    false,
    0,
  ],
  ['that is not there yet is not connected', { state: 'Deploying' }, false, 0],
])('a deployment %s', (_reason, more, isRolledBack, count) => {
  const { connected: _, ...former } = deployed('p');
  const one = { ...former, ...more };
  const all = [one, deployed('q'), deployed('r'), deployed('s', { state: 'Lost' })];
  expect(connectionsBefore(one, all, isRolledBack)).toHaveLength(count);
});
