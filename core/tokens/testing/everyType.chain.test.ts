import { everyType } from '../../chains/evm/testing/everyType.ts';
import { layerZeroSteps } from '../../crosschain/layerzero/layerZeroNetwork.ts';
import { endpointStep } from '../../crosschain/layerzero/members.ts';
import { runSteps } from '../../deploy/runner.ts';
import { nobody } from '../erc3643/registries.ts';
import { contracts, deploy } from './deploy.ts';
import { accounts, createDurable, portsOf, useNetworks } from './networks.ts';

describe('on every EVM chain type', () => {
  const networks = useNetworks(everyType);
  const durable = createDurable();
  const none = everyType.map(() => undefined);

  const everywhere = (args: object) => networks.map(() => ({ total_supply: '1000', ...args }));

  it('an ERC20 token is deployed', async () => {
    const { messages } = await deploy(networks, everywhere({}), { type: 'ERC20', durable });
    expect(messages).toEqual(none);
  });

  it('an ERC3643 token is deployed', async () => {
    const args = everywhere({ compliance_registry: nobody, transfer_restrictions: true });
    const { messages } = await deploy(networks, args, { type: 'ERC3643', durable, plan: { id: 'erc3643' } });
    expect(messages).toEqual(none);
  });

  it('a CCT token is deployed, with a lane for each pair', async () => {
    const plan = { id: 'cct', mechanism: 'lock-release' as const };
    const { messages, steps } = await deploy(networks, everywhere({ liquidity: 5 }), {
      type: 'CCT',
      durable,
      plan,
    });
    expect(messages).toEqual(none);
    const lanes = steps.filter(({ name }) => name.startsWith('lane:'));
    expect(lanes).toHaveLength(everyType.length * (everyType.length - 1));
  });

  it("LayerZero's stack and an OFT token are deployed", async () => {
    const members = networks.map(({ id }, index) => ({ id, incarnation: 'one', eid: 30_001 + index }));
    const ring = members.map(({ id }, index) => ({
      from: id,
      to: members[(index + 1) % members.length]?.id ?? id,
    }));
    const plan = { id: 'ring', service: accounts.service, members, connections: ring };
    const ports = portsOf(networks, durable);
    const { known } = await runSteps({ steps: layerZeroSteps(plan, contracts), ports, abis: [] });
    const args = networks.map(({ id }) => ({
      total_supply: '1000',
      layer_zero_endpoint: known.get(id, endpointStep),
    }));
    const { messages } = await deploy(networks, args, { type: 'OFT', durable, plan: { id: 'oft' } });
    expect(messages).toEqual(none);
  });
});
