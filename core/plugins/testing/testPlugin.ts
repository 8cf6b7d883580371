import type { Plugin, PluginPart, PluginStepsInput, ServiceStep } from '../plugin.ts';
import { pluginScope } from '../plugin.ts';

/** A small plugin in the place of `vrf` that uses every feature that a plugin may have. Only for tests. */
export const testPlugin: Plugin<'vrf'> = {
  name: 'vrf',
  engines: () => [{ engine: 'evm-dev', path: '' }],
  refuse({ config, others }) {
    const isAlone = config.type === 'vrfv2plus' && !others.includes('chainlink');
    return isAlone ? [{ path: 'type', message: 'needs the plugin chainlink' }] : [];
  },
  services({ type }) {
    if (type !== 'mpc') return {};
    return {
      vrf: { part: 'node', port: 'http', needs: 'public' },
      'vrf-admin': { part: 'node', port: 'admin', needs: 'admin' },
    };
  },
  plan({ chain, deriveSecret, hostOf }) {
    const node: PluginPart = {
      name: 'node',
      engine: 'evm-dev',
      init: [
        { name: 'migrate', engine: 'evm-dev', args: [hostOf('store')], secretFiles: { '/etc/key': 'key' } },
      ],
      args: ['--chain', chain.chainId, '--rpc', chain.rpcUrl],
      secretFiles: { '/etc/key': 'key' },
      files: { '/etc/test/config.json': JSON.stringify({ store: hostOf('store') }) },
      ports: { http: 8000, admin: 8001 },
      readyPort: 'http',
    };
    const store: PluginPart = {
      name: 'store',
      engine: 'evm-dev',
      args: [],
      files: {},
      ports: { sql: 5432 },
      readyPort: 'sql',
      dataPath: '/data',
    };
    const key = deriveSecret('key');
    return { parts: [node, store], secrets: { key }, credentials: { password: key } };
  },
  steps(input) {
    const coordinator = `${input.network.id}/coordinator`;
    const job = `${input.network.id}/job`;
    return [
      {
        ...onChain(input, 'coordinator', []),
        kind: 'create',
        title: 'deploy the coordinator',
        initCode: () => oneByte,
      },
      jobStep(input, [coordinator]),
      {
        ...onChain(input, 'funds', [coordinator, job]),
        kind: 'call',
        title: 'fund the node',
        transaction: (known) => ({ to: known.get(input.network.id, 'job.address'), data: '0x', value: 1n }),
        reads: (known) => [
          {
            balanceOf: known.get(input.network.id, 'job.address'),
            what: 'the node has funds',
            isMet: (result) => BigInt(result ?? 0) > 0n,
          },
        ],
      },
    ];
  },
  report: ({ network }, known) => ({
    addresses: { coordinator: known.get(network.id, 'coordinator') },
    values: { job: known.get(network.id, 'job.id') },
  }),
};

/** Creates a contract whose code is one byte. */
const oneByte = '0x6001600c60003960016000f300';

function onChain({ network }: PluginStepsInput, name: string, after: readonly string[]) {
  const scope = pluginScope('vrf', network);
  return { network: network.id, name, scope, after, signer: 'service' as const };
}

function jobStep({ network }: PluginStepsInput, after: readonly string[]): ServiceStep {
  return {
    kind: 'service',
    network: network.id,
    name: 'job',
    title: 'create a job',
    after,
    service: 'vrf-admin',
    request: (known) => ({
      method: 'PUT',
      path: '/jobs/1',
      body: JSON.stringify({ coordinator: known.get(network.id, 'coordinator') }),
    }),
    read: ({ body }) => JSON.parse(body),
  };
}
