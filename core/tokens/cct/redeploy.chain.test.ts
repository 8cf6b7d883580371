import { threeTypes } from '../testing/conformance.ts';
import { contractAt } from '../testing/contract.ts';
import { contracts, deploy } from '../testing/deploy.ts';
import { createDurable, useNetworks } from '../testing/networks.ts';

const networks = useNetworks(threeTypes.slice(0, 2));

it('a new deployment on the same chain replaces the former one on the other networks', async () => {
  const [a, b] = networks;
  if (!a || !b) throw new Error('no networks');
  const durable = createDurable();
  const args = { total_supply: '1000' };
  const planned = networks.map(({ id }) => ({ id, incarnation: 'one', args }));
  const options = { type: 'CCT', durable } as const;
  const first = await deploy(networks, [], {
    ...options,
    plan: { mechanism: 'burn-mint', networks: planned },
  });
  const redeployed = planned.map((network) =>
    network.id === b.id ? { ...network, deployment: 'second' } : network,
  );
  const second = await deploy(networks, [], {
    ...options,
    plan: { mechanism: 'burn-mint', networks: redeployed },
  });
  expect([first.messages, second.messages]).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(second.deployments[a.id]).toEqual(first.deployments[a.id]);
  expect(second.deployments[b.id]?.tokenAddress).not.toBe(first.deployments[b.id]?.tokenAddress);
  const { extraAddresses } = second.deployments[a.id] ?? {};
  const pool = contractAt(a, extraAddresses?.pool ?? '', contracts.cct('BurnMintPool').abi);
  const remote = await pool.ask<string>('getRemoteToken', extraAddressOf(second.deployments[b.id]));
  expect(remote.toLowerCase()).toContain(second.deployments[b.id]?.tokenAddress.slice(2).toLowerCase());
});

const extraAddressOf = (deployment: { extraAddresses: Record<string, string> } | undefined) =>
  deployment?.extraAddresses.chain_selector ?? '';
