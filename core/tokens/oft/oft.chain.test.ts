import { zeroPadValue } from 'ethers';
import { type LayerZeroPlan, layerZeroSteps } from '../../crosschain/layerzero/layerZeroNetwork.ts';
import { endpointStep, messageLibStep, withEids } from '../../crosschain/layerzero/members.ts';
import { layerZeroRelayProtocol } from '../../crosschain/layerzero/relayProtocol.ts';
import { type RunResult, runSteps } from '../../deploy/runner.ts';
import { describeStandard, threeTypes } from '../testing/conformance.ts';
import { contractAt } from '../testing/contract.ts';
import { contracts, type Deployed, deploy } from '../testing/deploy.ts';
import { createKiller, killPoints } from '../testing/killer.ts';
import {
  accounts,
  createDurable,
  type Durable,
  type Hook,
  noncesOf,
  portsOf,
  type TestNetwork,
  useNetworks,
} from '../testing/networks.ts';
import { createMemoryPositions, relayAll } from '../testing/relay.ts';

function planOf(networks: TestNetwork[], id = 'mesh'): LayerZeroPlan {
  return {
    id,
    service: accounts.service,
    members: networks.map((network, index) => ({ id: network.id, incarnation: 'one', eid: 30_001 + index })),
    connections: networks.flatMap((from) =>
      networks.filter((to) => to !== from).map((to) => ({ from: from.id, to: to.id })),
    ),
  };
}

const stackOf = (networks: TestNetwork[], durable: Durable, hook?: Hook): Promise<RunResult> =>
  runSteps({
    steps: layerZeroSteps(planOf(networks), contracts),
    ports: portsOf(networks, durable, hook),
    abis: [contracts.layerzero('Endpoint').abi],
  });

const failuresOf = ({ outcomes }: RunResult) =>
  [...outcomes].filter(([, { state }]) => state !== 'done').map(([id, outcome]) => [id, outcome]);

async function endpointArgs(networks: TestNetwork[], durable = createDurable()) {
  const stack = await stackOf(networks, durable);
  expect(failuresOf(stack)).toEqual([]);
  return networks.map(({ id }) => ({
    total_supply: '1000000000000000000000',
    layer_zero_endpoint: stack.known.get(id, endpointStep),
  }));
}

describeStandard({ title: 'OFT', type: 'OFT', prepare: (networks) => endpointArgs(networks) });

describe('a LayerZero network', () => {
  const networks = useNetworks(threeTypes);
  const durable = createDurable();
  let stack: RunResult;
  const positions = createMemoryPositions();
  beforeAll(async () => {
    stack = await stackOf(networks, durable);
  });

  const relay = (hook?: Hook) => {
    const endpoints = planOf(networks).members.map(({ id, incarnation, eid }) => ({
      id,
      incarnation,
      eid,
      endpoint: stack.known.get(id, endpointStep),
      messageLib: stack.known.get(id, messageLibStep),
    }));
    const world = { networks, durable, positions, ...(hook ? { hook } : {}) };
    return relayAll(layerZeroRelayProtocol('mesh', endpoints, contracts), world);
  };
  const argsOf = () =>
    networks.map(({ id }) => ({
      total_supply: '1000000000000000000000',
      layer_zero_endpoint: stack.known.get(id, endpointStep),
    }));
  const tokenOf = (deployed: Deployed, network: TestNetwork) =>
    contractAt(network, deployed.deployments[network.id]!.tokenAddress, contracts.oft('OmnichainToken').abi);
  async function send(deployed: Deployed, [from, to]: [TestNetwork, TestNetwork], amount: bigint) {
    const token = tokenOf(deployed, from);
    const eid = deployed.deployments[to.id]!.extraAddresses.endpoint_id;
    const param = [eid, zeroPadValue(accounts.deployer, 32), amount, amount, '0x', '0x', '0x'];
    const [nativeFee] = await token.ask<[bigint, bigint]>('quoteSend', param, false);
    await token.pay(nativeFee, 'send', param, [nativeFee, 0n], accounts.deployer);
  }
  const suppliesOf = (deployed: Deployed) =>
    Promise.all(
      networks.map(async (network): Promise<bigint> => tokenOf(deployed, network).ask<bigint>('totalSupply')),
    );

  it('is set up once, however often it is killed', async () => {
    expect(failuresOf(stack)).toEqual([]);
    const before = await Promise.all(networks.map(noncesOf));
    const again = createDurable();
    again.sent = durable.sent;
    for (let run = 0; run < 24; run += 1) {
      const killer = createKiller(killPoints[run % 4]!, 1 + (run % 5));
      await stackOf(networks, again, killer.hook);
    }
    expect(failuresOf(await stackOf(networks, again))).toEqual([]);
    expect(await Promise.all(networks.map(noncesOf))).toEqual(before);
  });

  // LayerZero's SimpleMessageLib asks 100 wei.
  it.each([
    [
      'less than the endpoint asks',
      '99',
      /adapter_parameters\.lz_fee: a message to .* costs 100 wei.*raise lz_fee/,
    ],
    ['what the endpoint asks', '100', undefined],
    ['more, in units of the currency', '0.01', undefined],
  ])('deploys within lz_fee: %s', async (_what, fee, message) => {
    const pair = networks.slice(0, 2);
    const [first, second] = argsOf();
    const args = [{ ...first, adapter_parameters: { lz_fee: fee } }, second!];
    const { messages } = await deploy(pair, args, { type: 'OFT', durable, plan: { id: `fee-${fee}` } });
    expect(messages).toEqual([message && expect.stringMatching(message), undefined]);
  });

  it('carries tokens from chain to chain, each once, even if its relay is killed at every point', async () => {
    const token = await deploy(networks, argsOf(), { type: 'OFT', durable });
    expect(token.messages).toEqual([undefined, undefined, undefined]);
    const unit = 10n ** 18n;
    const total = 1000n * unit;
    expect(await suppliesOf(token)).toEqual([total, total, total]);
    const [a, b, c] = [networks[0]!, networks[1]!, networks[2]!];
    await send(token, [a, b], 100n * unit);
    await send(token, [a, b], 20n * unit);
    await send(token, [b, c], 3n * unit);
    for (let run = 0; run < 40; run += 1) {
      await relay(createKiller(killPoints[run % 2]!, 1 + (run % 3)).hook).catch(() => undefined);
    }
    expect(await relay()).toEqual([]);
    expect(await suppliesOf(token)).toEqual([total - 120n * unit, total + 117n * unit, total + 3n * unit]);
    expect([...positions.all.values()].flatMap(({ waiting }) => waiting)).toEqual([]);
  });

  it('delivers what comes after a refused packet, and that packet once it is accepted', async () => {
    const token = await deploy(networks, argsOf(), { type: 'OFT', durable, plan: { id: 'token-2' } });
    const [a, b] = [networks[0]!, networks[1]!];
    const unit = 10n ** 18n;
    const [peer, none] = [zeroPadValue(tokenOf(token, a).address, 32), `0x${'0'.repeat(64)}`];
    await tokenOf(token, b).send('setPeer', 30_001, none);
    await send(token, [a, b], 5n * unit);
    expect((await relay()).length).toBeGreaterThan(0);
    const other = await deploy(networks, argsOf(), { type: 'OFT', durable, plan: { id: 'token-3' } });
    await send(other, [a, b], 7n * unit);
    await relay();
    expect((await suppliesOf(other))[1]).toBe(1007n * unit);
    await tokenOf(token, b).send('setPeer', 30_001, peer);
    for (const [key, position] of positions.all) {
      const waiting = position.waiting.map((message) => ({ ...message, retryAtMs: 0 }));
      positions.all.set(key, { ...position, waiting });
    }
    expect(await relay()).toEqual([]);
    expect((await suppliesOf(token))[1]).toBe(1005n * unit);
  });

  it('loses no packet and brings none twice when a member goes back to an earlier block', async () => {
    const token = await deploy(networks, argsOf(), { type: 'OFT', durable, plan: { id: 'token-back' } });
    const [a, b] = [networks[0]!, networks[1]!];
    const unit = 10n ** 18n;
    await send(token, [a, b], 1n * unit);
    expect(await relay()).toEqual([]);
    const snapshot = await a.rpc.call('evm_snapshot', []);
    await a.rpc.call('anvil_mine', ['0x1e']);
    await relay();
    await a.rpc.call('evm_revert', [snapshot]);
    await send(token, [a, b], 2n * unit);
    const { service } = await noncesOf(b);
    expect(await relay()).toEqual([]);
    expect((await suppliesOf(token))[1]).toBe(1003n * unit);
    // Verified and executed, once.
    expect((await noncesOf(b)).service).toBe(service + 2);
  });

  it('whose endpoints share an id is refused before a peer is set', async () => {
    const own = networks.slice(0, 2).map(({ id }) => ({ id, incarnation: 'one', eid: 9 }));
    const args = [];
    for (const member of own) {
      const plan = { ...planOf(networks, `alone-${member.id}`), members: [member], connections: [] };
      const ports = portsOf(networks, durable);
      const { known } = await runSteps({ steps: layerZeroSteps(plan, contracts), ports, abis: [] });
      args.push({ total_supply: '1', layer_zero_endpoint: known.get(member.id, endpointStep) });
    }
    const { messages } = await deploy(networks.slice(0, 2), args, {
      type: 'OFT',
      durable,
      plan: { id: 'token-5' },
    });
    expect(messages).toEqual([
      expect.stringContaining('layer_zero_endpoint: two networks have endpoints with the same id 9'),
      expect.stringContaining('same id 9'),
    ]);
  });

  it('reads the peers both ways by an independent client, and has the deployer as owner', async () => {
    const token = await deploy(networks, argsOf(), {
      type: 'OFT',
      durable,
      plan: { id: 'token-4', decimals: 8 },
    });
    for (const from of networks) {
      const contract = tokenOf(token, from);
      expect(await contract.ask('decimals')).toBe(8n);
      expect(await contract.ask('owner')).toBe(accounts.deployer);
      for (const [index, to] of networks.entries()) {
        const peer = to === from ? `0x${'0'.repeat(64)}` : zeroPadValue(tokenOf(token, to).address, 32);
        expect(await contract.ask('peers', 30_001 + index)).toBe(peer.toLowerCase());
      }
    }
  });
});

describe('an endpoint', () => {
  const network = useNetworks(threeTypes.slice(0, 1));

  it.each([
    ['without code', '0x00000000000000000000000000000000000000Aa', 'there is no contract at'],
    [
      'that is another contract',
      '0xcA11bde05977b3631167028862bE2a173976CA11',
      'is not a LayerZero V2 endpoint',
    ],
  ])(
    '%s is refused by the name of the argument, and nothing is deployed',
    async (_reason, endpoint, reason) => {
      const before = await noncesOf(network[0]!);
      const args = [{ total_supply: '1', layer_zero_endpoint: endpoint }];
      const { messages, result } = await deploy(network, args, { type: 'OFT', plan: { id: endpoint } });
      expect(messages[0]).toContain('layer_zero_endpoint');
      expect(messages[0]).toContain(reason);
      expect(result.outcomes.get(`${network[0]!.id}/endpoint`)?.state).toBe('failed');
      expect(await noncesOf(network[0]!)).toEqual(before);
    },
  );
});

describe('endpoint ids', () => {
  const drawn = withEids([{ id: 'a' }, { id: 'b' }]);

  it('that are not named are derived from the networks, independent of the other members', () => {
    expect(withEids([{ id: 'c', eid: 7 }, { id: 'b' }, { id: 'a' }])).toEqual([
      { id: 'c', eid: 7 },
      { id: 'b', eid: drawn[1]!.eid },
      { id: 'a', eid: drawn[0]!.eid },
    ]);
    expect(drawn[0]!.eid).not.toBe(drawn[1]!.eid);
  });

  it('that are not named are between 10^9 and 2*10^9', () => {
    for (const { eid } of withEids(['a', 'b', 'c', 'd', 'e'].map((id) => ({ id })))) {
      expect(eid).toBeGreaterThanOrEqual(1e9);
      expect(eid).toBeLessThan(2e9);
    }
  });

  it('give way to one that is named', () => {
    const [named, other] = withEids([{ id: 'x', eid: drawn[0]!.eid }, { id: 'a' }]);
    expect(other!.eid).toBe(named!.eid + 1);
  });
});
