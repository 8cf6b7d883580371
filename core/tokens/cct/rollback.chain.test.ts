import { getAddress } from 'ethers';
import { ccip } from '../../crosschain/ccip/ccipNetwork.ts';
import { threeTypes } from '../testing/conformance.ts';
import { contractAt } from '../testing/contract.ts';
import { contracts, deploy } from '../testing/deploy.ts';
import { createDurable, useNetworks } from '../testing/networks.ts';

const networks = useNetworks(threeTypes.slice(0, 1));

it('a CCT is deployed where a rollback left contracts of T-REX at the addresses of the CCIP router', async () => {
  const [network] = networks;
  if (!network) throw new Error('no network');
  const durable = createDurable();
  const args = [{ total_supply: '1000' }];
  const cct = (id: string, isAsked: boolean) =>
    deploy(networks, args, {
      type: 'CCT',
      durable,
      isAsked,
      plan: { id, mechanism: 'burn-mint' },
    } as const);
  const snapshot = await network.rpc.call('evm_snapshot', []);
  const former = await cct('former', true);
  await network.rpc.call('evm_revert', [snapshot]);
  const trex = await deploy(networks, args, { type: 'ERC3643', durable, plan: { id: 'trex' } });
  expect(trex.messages).toEqual([undefined]);
  const router = former.result.known.get(network.id, ccip.router);
  expect(await network.chain.provider.getCode(router)).not.toBe('0x');

  // Nobody asked for it: what was undone is reported, and nothing is taken for it that stands there now.
  expect((await cct('former', false)).messages).toEqual([expect.stringContaining('rolled back past')]);
  const next = await cct('next', true);
  expect(next.messages).toEqual([undefined]);
  const found = contractAt(
    network,
    next.result.known.get(network.id, ccip.router),
    contracts.cct('Router').abi,
  );
  expect(await found.ask('getArmProxy')).toBe(getAddress(next.result.known.get(network.id, ccip.riskProxy)));
});
