import type { SolanaSpec } from '../api/resources/chainSpecs.ts';
import type { ChainSpec, NetworkResource, NetworkSpec } from '../api/resources/network.ts';
import { compact } from '../lib/compact.ts';
import {
  type ChainEffect,
  chainChangeOf,
  chainMembersOf,
  changeWarning,
  creationWarning,
  newChainWarning,
} from './chainChange.ts';
import { profileOf, withProfile } from './profiles.ts';

const base = { privateKeyRef: { name: 'key' } };
const ethereum = (spec: object = {}): ChainSpec => ({ type: 'Ethereum', ethereum: { ...base, ...spec } });
const base2 = (base: object = {}): ChainSpec => ({ type: 'Base', base });

const solana = (spec: SolanaSpec = {}): ChainSpec => ({ type: 'Solana', solana: spec });

/** A network that runs this chain. */
function running(chain: ChainSpec, spec: Partial<NetworkSpec> = {}, status: object = {}): NetworkResource {
  const incarnation = {
    number: 0,
    members: chainMembersOf({ chain }),
    ...compact({ profile: profileOf(chain, undefined) }),
    revision: 0,
    startedAt: '2030-01-01T00:00:00Z',
  };
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Network',
    metadata: { name: 'net', namespace: 'ws' },
    spec: { chain, ...spec },
    status: { state: 'Operational', chainID: '777', storage: 'Pod', incarnation, ...status },
  };
}

const profileMember = { 'spec.chain.solana.profile': 'hash' };
const persistent = [{ persistent: true }, { storage: 'Volume' }] as const;

describe('a change of the spec', () => {
  const nodes = (participant: object) => ethereum({ participants: [participant] });
  it.each<[string, ChainSpec, ChainSpec, ChainEffect, ChainEffect]>([
    ['nothing', ethereum(), ethereum(), 'none', 'none'],
    ['block time', ethereum(), ethereum({ blockTime: 3 }), 'adjust', 'adjust'],
    ['no block time any more', ethereum({ blockTime: 3 }), ethereum(), 'adjust', 'adjust'],
    [
      'no development accounts, in words',
      ethereum(),
      ethereum({ developmentAccounts: false }),
      'none',
      'none',
    ],
    ['development accounts', ethereum(), ethereum({ developmentAccounts: true }), 'newChain', 'newChain'],
    ['gas limit', ethereum({ gasLimit: 1e7 }), ethereum({ gasLimit: 2e7 }), 'adjust', 'adjust'],
    ['block time of a Layer 2', base2(), base2({ blockTime: 3 }), 'adjust', 'adjust'],
    ['gas limit of a Layer 2', base2({ gasLimit: 1e7 }), base2(), 'adjust', 'adjust'],
    ['mnemonic of a Layer 2', base2(), base2({ mnemonicRef: { name: 'words' } }), 'newChain', 'newChain'],
    ['adding a plugin', ethereum(), ethereum({ plugins: { uniswap: {} } }), 'none', 'none'],
    ['removing a plugin', base2({ plugins: { graph: {} } }), base2(), 'none', 'none'],
    ['chain id', ethereum(), ethereum({ chainID: '778' }), 'newChain', 'newChain'],
    ['chain id: the generated one is named', ethereum(), ethereum({ chainID: '777' }), 'none', 'none'],
    ['chain id: no longer named', ethereum({ chainID: '777' }), ethereum(), 'none', 'none'],
    ['hot key', ethereum(), ethereum({ privateKeyRef: { name: 'other' } }), 'newChain', 'newChain'],
    ['becoming a fork', base2(), base2({ forking: { enabled: true } }), 'newChain', 'newChain'],
    [
      'block of a fork: its default is named',
      base2({ forking: { enabled: true } }),
      base2({ forking: { enabled: true, blockHeight: 'latest' } }),
      'none',
      'none',
    ],
    [
      'source of a fork',
      base2({ forking: { enabled: true, sourceRef: { name: 'a' } } }),
      base2({ forking: { enabled: true, sourceRef: { name: 'b' } } }),
      'newChain',
      'newChain',
    ],
    ['a fork that is switched off already', base2(), base2({ forking: { enabled: false } }), 'none', 'none'],
    ['consensus values without participants', ethereum(), ethereum({ validatorCount: 9 }), 'none', 'none'],
    ['adding participants', ethereum(), nodes({}), 'newChain', 'newChain'],
    ['participants: defaults are named', nodes({}), nodes({ elType: 'geth', count: 1 }), 'none', 'none'],
    ['another execution client', nodes({}), nodes({ elType: 'reth' }), 'newChain', 'newChain'],
    ['more participants', nodes({}), nodes({ count: 2 }), 'newChain', 'newChain'],
    ['image of a client', nodes({}), nodes({ elImage: 'geth:2' }), 'newChain', 'newPods'],
    ['arguments of a client', nodes({ clExtraArgs: '--a' }), nodes({}), 'newChain', 'newPods'],
    [
      'gas limit with participants',
      nodes({}),
      ethereum({ participants: [{}], gasLimit: 1e7 }),
      'newChain',
      'newPods',
    ],
    [
      'slot time of participants',
      nodes({}),
      ethereum({ participants: [{}], blockTime: 2 }),
      'newChain',
      'newChain',
    ],
    ['profile of Solana', solana(), solana({ profile: 'real' }), 'newChain', 'newChain'],
    ['profile of Solana: the default is named', solana(), solana({ profile: 'light' }), 'none', 'none'],
    ['profile of Solana: no longer named', solana({ profile: 'real' }), solana(), 'none', 'none'],
    ['profile of a Layer 2', base2(), base2({ profile: 'real' }), 'newChain', 'newChain'],
    [
      'block time of a real Layer 2',
      base2({ profile: 'real' }),
      base2({ profile: 'real', blockTime: 3 }),
      'newChain',
      'newPods',
    ],
    [
      'gas limit of a real Layer 2 that no longer names its profile',
      base2({ profile: 'real' }),
      base2({ gasLimit: 2e7 }),
      'newChain',
      'newPods',
    ],
    [
      'image of THORNode',
      { type: 'Thorchain', thorchain: {} },
      { type: 'Thorchain', thorchain: { image: 'thornode:2' } },
      'newChain',
      'newPods',
    ],
    [
      'bond of THORNode',
      { type: 'Thorchain', thorchain: {} },
      { type: 'Thorchain', thorchain: { bondAmount: '5' } },
      'newChain',
      'newChain',
    ],
    [
      'members of a LayerZero network',
      { type: 'LayerZero', layerzero: { networks: [] } },
      { type: 'LayerZero', layerzero: { networks: [{ networkRef: { name: 'a' } }] } },
      'none',
      'none',
    ],
  ])('%s', (_member, before, after, effect, onVolumes) => {
    expect(chainChangeOf(running(before), { chain: after }).effect).toBe(effect);
    const kept = chainChangeOf(running(before, ...persistent), { chain: after, persistent: true });
    expect(kept.effect).toBe(onVolumes);
  });

  it.each<[string, object, ChainSpec]>([
    ['recorded', { profile: 'real' }, solana()],
    ['light, because none was recorded', {}, solana()],
    ['named, because it was recorded only with the other members', { members: profileMember }, solana()],
  ])(
    'keeps the profile that is %s when the spec names none, whatever the default is',
    (_how, begun, chain) => {
      const network = running(chain);
      const { profile: _recorded, ...incarnation } = network.status?.incarnation ?? {
        number: 0,
        members: {},
        revision: 0,
      };
      network.status = { ...network.status, incarnation: { ...incarnation, ...begun } };
      expect(chainChangeOf(network, { chain })).toEqual({ effect: 'none', paths: [] });
      const kept = Object.keys(begun).length > 0 ? 'real' : 'light';
      expect(withProfile({ chain }, network.status).chain.solana?.profile ?? 'light').toBe(kept);
      const other = kept === 'real' ? 'light' : 'real';
      expect(chainChangeOf(network, { chain: solana({ profile: other }) })).toEqual({
        effect: 'newChain',
        paths: ['spec.chain.solana.profile'],
      });
    },
  );

  it('needs a volume that exists: a network that has only become persistent loses its chain with its pod', () => {
    const next = { chain: nodes({ elImage: 'geth:2' }), persistent: true };
    expect(chainChangeOf(running(nodes({}), { persistent: true }), next).effect).toBe('newChain');
  });

  it('names the members with the strongest effect', () => {
    const chain = ethereum({ privateKeyRef: { name: 'other' }, chainID: '778', blockTime: 4 });
    expect(chainChangeOf(running(ethereum()), { chain })).toEqual({
      effect: 'newChain',
      paths: ['spec.chain.ethereum.chainID', 'spec.chain.ethereum.privateKeyRef'],
    });
  });

  it('is compared with what the chain was begun with, not with a spec that the operator has not seen', () => {
    const network = running(ethereum());
    network.spec.chain = ethereum({ privateKeyRef: { name: 'typo' } });
    expect(chainChangeOf(network, { chain: ethereum() }).effect).toBe('none');
  });
});

describe('the warning', () => {
  const next = { chain: ethereum({ chainID: '778' }) };

  it('names what starts the new chain, and what is lost', () => {
    expect(newChainWarning(running(ethereum()), next)).toBe(
      'spec.chain.ethereum.chainID starts a new chain: the running chain and its data are deleted',
    );
  });

  it.each<[string, NetworkResource]>([
    ['has not answered yet', running(ethereum(), {}, { incarnation: undefined })],
    ['is stopped, and lost its data then', running(ethereum(), {}, { state: 'Stopped' })],
  ])('is not given for a network that %s', (_reason, network) => {
    expect(newChainWarning(network, next)).toBeUndefined();
  });

  it('is not given for what the engine takes over', () => {
    expect(newChainWarning(running(ethereum()), { chain: ethereum({ blockTime: 3 }) })).toBeUndefined();
  });
});

describe('what has no effect is said', () => {
  const base = (forking: object) => ({ chain: { type: 'Base' as const, base: { forking } } });
  const fork =
    'spec.chain.base.forking.blockHeight has no effect without spec.chain.base.forking.enabled: true';
  const idle = 'spec.idleAfter has no effect on a persistent network, which stops on request alone';

  it.each<[string, NetworkSpec, string | undefined]>([
    ['a block of a fork that is not enabled', base({ blockHeight: '5' }), fork],
    ['a block of a fork that is disabled', base({ enabled: false, blockHeight: '5' }), fork],
    ['an idle time of a persistent network', { ...base({}), persistent: true, idleAfter: '1m' }, idle],
    ['nothing for a fork', base({ enabled: true, blockHeight: '5' }), undefined],
    ['nothing for a fork that is disabled and says no more', base({ enabled: false }), undefined],
    ['nothing for an idle time', { ...base({}), idleAfter: '1m' }, undefined],
  ])('of a new network: %s', (_what, spec, warning) => {
    expect(creationWarning(spec)).toBe(warning);
  });

  it('of a change, unless it was so before', () => {
    const spec = base({ blockHeight: '5' });
    expect(changeWarning({ spec: base({}) }, spec)).toBe(fork);
    expect(changeWarning({ spec }, { ...spec, persistent: true, idleAfter: '1m' })).toBe(idle);
  });
});
