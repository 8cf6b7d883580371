import { labels } from '../../../core/api/names.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { ConfigMap, Pod, Service } from '../../../core/kube/types.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { aNetwork, aPod, factsOf, hotAddress, readyStatus } from '../testing/facts.ts';
import { decide } from './decide.ts';
import type { NetworkFacts } from './facts.ts';

const ofKind = <T>(facts: NetworkFacts, kind: string): T =>
  decide(facts).children?.find((child) => child.kind === kind) as T;

/** The funded addresses; system contracts have no funds. */
const fundedOf = (accounts: Record<string, { balance: string }>) =>
  Object.keys(accounts)
    .filter((address) => accounts[address]?.balance !== '0x0')
    .sort();

describe('the children of a new Ethereum network', () => {
  const network = aNetwork({ chainID: '777', gasLimit: 12_345_678, blockTime: 3 });
  const facts = factsOf(network);

  it('are one pod, one Service and the genesis file', () => {
    expect(decide(facts).children?.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Pod', 'Service']);
  });

  it('include a genesis that funds the address of the hot key', () => {
    const files = ofKind<ConfigMap>(facts, 'ConfigMap');
    const { accounts } = JSON.parse(Object.values(files.data ?? {})[0] ?? '');
    expect(fundedOf(accounts)).toEqual([hotAddress]);
    expect(BigInt(accounts[hotAddress].balance)).toBe(10n ** 24n);
  });

  it('include an engine with its chain id and gas limit that makes a block every blockTime seconds', () => {
    const { args } = ofKind<Pod>(facts, 'Pod').spec.containers[0] ?? {};
    expect(args?.join(' ')).toContain('--block-time 3');
    expect(args?.join(' ')).toContain('--chain-id 777');
    expect(args?.join(' ')).toContain('--gas-limit 12345678');
  });

  it('include a genesis that also funds the accounts of the mnemonic', () => {
    const mnemonic = { kind: 'addresses' as const, addresses: ['0x01', '0x02'] };
    const files = ofKind<ConfigMap>(factsOf(network, { mnemonic }), 'ConfigMap');
    const { accounts } = JSON.parse(Object.values(files.data ?? {})[0] ?? '');
    expect(fundedOf(accounts)).toEqual(['0x01', '0x02', hotAddress].sort());
  });

  it('include a genesis that also funds the development accounts of Foundry and Hardhat, if asked for', () => {
    const asking = aNetwork({ chainID: '777', developmentAccounts: true });
    const files = ofKind<ConfigMap>(factsOf(asking), 'ConfigMap');
    const { accounts } = JSON.parse(Object.values(files.data ?? {})[0] ?? '');
    const funded = fundedOf(accounts);
    expect(funded).toHaveLength(11);
    expect(funded).toContain('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  });

  it('include a pod that meets restricted Pod Security and has no service account token', () => {
    const { spec } = ofKind<Pod>(facts, 'Pod');
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('include a Service that selects only this incarnation of the network', () => {
    const { spec } = ofKind<Service>(facts, 'Service');
    expect(spec.selector).toEqual({
      [labels.incarnation]: engineIncarnationOf(network),
      [labels.part]: 'rpc',
    });
  });

  it('keep their names until the chain changes', () => {
    const names = (of: Stored<NetworkResource>) =>
      decide(factsOf(of)).children?.map(({ metadata }) => metadata.name);
    expect(names(network)).toEqual(names(aNetwork({ chainID: '777', gasLimit: 12_345_678, blockTime: 3 })));
    const { status } = decide(facts);
    const changed = aNetwork({ chainID: '778' }, { status });
    expect(names({ ...network, status })).toEqual(names(network));
    expect(names(changed)?.[1]).not.toBe(names(network)?.[1]);
  });

  it('are owned by the network, so that they are deleted with it', () => {
    for (const child of decide(facts).children ?? []) {
      expect(child.metadata.ownerReferences).toMatchObject([
        { kind: 'Network', uid: 'u-1', controller: true },
      ]);
    }
  });
});

describe('the chain id', () => {
  it('is derived from the uid if the spec has none, and does not change', () => {
    const first = decide(factsOf(aNetwork())).status.chainID;
    expect(first).toMatch(/^[0-9]{10}$/);
    const later = aNetwork({}, { status: { chainID: '5555' } });
    expect(decide(factsOf(later)).status.chainID).toBe('5555');
    expect(decide(factsOf(later, { isChainIdUsed: () => true })).status.chainID).toBe('5555');
  });

  it('of a public network can be shared by forks', () => {
    const network = aNetwork({ chainID: '1', forking: { enabled: true } });
    const fork = { forkSource: 'http://source', answers: { forkHead: { block: 9 } } };
    const facts = factsOf(network, { ...fork, isChainIdTaken: () => true });
    expect(decide(facts).status).toMatchObject({ state: 'Pending', chainID: '1' });
  });

  it('is derived again if another network has it', () => {
    const first = decide(factsOf(aNetwork())).status.chainID;
    const second = decide(factsOf(aNetwork(), { isChainIdUsed: (id) => id === first })).status.chainID;
    expect(second).toMatch(/^[0-9]{10}$/);
    expect(second).not.toBe(first);
  });
});

it('a plugin that is not available yet does not keep its network from running, and says so', () => {
  const facts = factsOf(aNetwork({ plugins: { graph: {} } }));
  const { status, children, plugins } = decide(facts);
  expect(status.state).toBe('Pending');
  expect(children?.map(({ kind }) => kind)).toContain('Pod');
  expect(status.conditions).toMatchObject([{ type: 'Ready' }, { type: 'PluginGraphReady', status: 'False' }]);
  expect(plugins?.refused.graph).toMatch(/plugins\.graph: needs engines\.graph and engines\.postgres, which/);
});

describe('blockers', () => {
  const cases: [string, NetworkFacts, string, RegExp][] = [
    [
      'a secret that the same kubectl apply may still create',
      factsOf(
        aNetwork({}, { metadata: { ...aNetwork().metadata, creationTimestamp: '2030-01-02T03:04:00Z' } }),
        {
          hotKey: { kind: 'missing', message: 'privateKeyRef: secret "key" does not exist' },
        },
      ),
      'Pending',
      /secret "key" does not exist/,
    ],
    [
      'a secret that was not created',
      factsOf(aNetwork(), {
        hotKey: { kind: 'missing', message: 'privateKeyRef: secret "key" does not exist' },
      }),
      'Error',
      /secret "key" does not exist/,
    ],
    [
      'a secret in the wrong format',
      factsOf(aNetwork(), {
        hotKey: { kind: 'unusable', message: 'secret "key": a private key is 32 raw bytes' },
      }),
      'Error',
      /32 raw bytes/,
    ],
    [
      'a fork without a source',
      factsOf(aNetwork({ forking: { enabled: true } })),
      'Error',
      /forkSources\.Ethereum/,
    ],
    ['a chain id of a public network', factsOf(aNetwork({ chainID: '1' })), 'Error', /public network/],
    [
      'a chain id that another network has',
      factsOf(aNetwork({ chainID: '77' }), { isChainIdTaken: (id) => id === '77' }),
      'Error',
      /in use by another network in this workspace/,
    ],
  ];
  it.each(cases)('%s', (_reason, facts, state, message) => {
    const { status, children } = decide(facts);
    expect(status.state).toBe(state);
    expect(status.message).toMatch(message);
    expect(status.conditions).toMatchObject([{ type: 'Ready', status: 'False', observedGeneration: 1 }]);
    expect(children).toEqual([]);
  });

  it('delete nothing of a running network', () => {
    const network = aNetwork({}, {});
    const first = decide(factsOf(network, { pods: [aPod(network, readyStatus)] }));
    const running = { ...network, status: first.status };
    const hotKey = { kind: 'missing', message: 'secret "key" does not exist' } as const;
    const { children, status } = decide(factsOf(running, { pods: [aPod(running, readyStatus)], hotKey }));
    expect(children).toBeUndefined();
    expect(status.state).toBe('Operational');
    expect(status.message).toMatch(/secret "key" does not exist/);
  });

  it('a running network whose secret was deleted stays Operational, with the reason SecretMissing', () => {
    const network = aNetwork({}, {});
    const first = decide(factsOf(network, { pods: [aPod(network, readyStatus)] }));
    const running = { ...network, status: first.status };
    const hotKey = { kind: 'missing', message: 'secret "key" does not exist' } as const;
    const { status } = decide(factsOf(running, { pods: [aPod(running, readyStatus)], hotKey }));
    expect(first.status).toMatchObject({ state: 'Operational', reason: undefined });
    expect(status).toMatchObject({ state: 'Operational', reason: 'SecretMissing' });
    expect(status.conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: 'SecretMissing' }]);
  });
});
