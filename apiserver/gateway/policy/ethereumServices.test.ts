import { adminKey, call, post, type SeenWorld, startSeenWorld } from '../testing/fixtures.ts';
import { refusal } from '../testing/socketFixtures.ts';
import { beaconPathAccess } from './ethereumServices.ts';
import { servicesOf } from './families.ts';

const paths: [reason: string, method: string, path: string, access: string][] = [
  ['reads are public', 'GET', '/eth/v1/beacon/genesis', 'public'],
  ['reads are public', 'HEAD', '/eth/v2/beacon/blocks/head', 'public'],
  ['signed objects may be submitted', 'POST', '/eth/v1/beacon/pool/voluntary_exits', 'public'],
  ['a query with a body', 'POST', '/eth/v1/beacon/states/head/validators', 'public'],
  ['a query with a body', 'POST', '/eth/v1/validator/duties/attester/3', 'public'],
  ['a block changes the chain', 'POST', '/eth/v2/beacon/blocks', 'admin'],
  ['it sets the fee recipient', 'POST', '/eth/v1/validator/prepare_beacon_proposer', 'admin'],
  ['it connects the node to other peers', 'POST', '/prysm/node/trusted_peers', 'never'],
  ['the key manager is closed', 'GET', '/keymanager/v1/keystores', 'never'],
  ['nothing is deleted', 'DELETE', '/eth/v1/beacon/pool/attestations', 'never'],
];

it.each(paths)('beacon REST, %s: %s %s is %s', (_reason, method, path, access) => {
  expect(beaconPathAccess(method, path)).toBe(access);
});

it.each([
  ['el-1', true],
  ['cl-16', true],
  ['vc-1', false],
  ['el-0', false],
  ['cl-1x', false],
  ['el-17', false],
])('a network of 16 participants has %s: %s', (name, isThere) => {
  expect(servicesOf({ type: 'Ethereum', participants: 16 }).get(name) !== undefined).toBe(isThere);
  expect(servicesOf({ type: 'Ethereum' }).get(name)).toBeUndefined();
  expect(servicesOf({ type: 'Polygon' }).get(name)).toBeUndefined();
});

describe('the nodes of a network', () => {
  let world: SeenWorld;
  beforeEach(async () => {
    world = await startSeenWorld();
    world.setNetwork({ type: 'Ethereum', participants: 2 });
  });
  afterEach(() => world.close());

  it('serve REST with access by path', async () => {
    expect((await fetch(`${world.url('cl-2')}/eth/v1/node/syncing?x=1`)).status).toBe(200);
    expect((await fetch(`${world.url('cl-2')}/metrics`)).status).toBe(404);
    expect((await fetch(`${world.url('cl-2')}/eth/v1/..%2f..%2fprysm/x`)).status).toBe(404);
    expect((await post(`${world.url('cl-2')}/eth/v2/beacon/blocks`, '{}')).status).toBe(404);
    expect((await post(`${world.url('cl-2', adminKey)}/eth/v2/beacon/blocks`, '{}')).status).toBe(200);
    expect(world.seen).toEqual(['GET /eth/v1/node/syncing?x=1', 'POST /eth/v2/beacon/blocks']);
  });

  it('serve JSON-RPC over HTTP with the methods of every EVM chain', async () => {
    expect((await post(world.url('el-2'), call('eth_chainId'))).json).toEqual({ result: 1 });
    expect((await post(world.url('el-2'), call('admin_addPeer'))).json.error.code).toBe(-32601);
    expect(await refusal(world.url('el-2'))).toBe(404);
  });
});
