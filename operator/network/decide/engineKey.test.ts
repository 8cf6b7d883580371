import { aKeyring } from '../../../core/accounts/testing/keyrings.ts';
import type { NetworkResource } from '../../../core/api/resources/network.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import { engineIncarnationOf } from '../render/childNames.ts';
import { readyStatus } from '../testing/facts.ts';
import { begun, facts, podOf } from '../testing/participants.ts';
import { decide } from './decide.ts';
import type { NetworkFacts } from './facts.ts';

describe('when the key of the installation is rotated', () => {
  const before = begun();
  const { status } = decide(facts(before));
  const running = { ...before, status: { ...status, state: 'Operational' as const } };
  const rotated = { engineKeys: aKeyring('the new key', 'gateway key') };
  const removed = { engineKeys: { currentId: 'k2', keys: new Map([['k2', Buffer.from('the new key')]]) } };
  const secretOf = (network: Stored<NetworkResource>, others: Partial<NetworkFacts> = {}) =>
    decide(facts(network, others)).children?.find(({ kind }) => kind === 'Secret');

  it('the status names the key that the secrets of its engines derive from', () => {
    expect(status.engineKey).toEqual({ incarnation: engineIncarnationOf(before), id: 'k1' });
  });

  it('a chain keeps its key', () => {
    expect(secretOf(running, rotated)).toEqual(secretOf(before));
    expect(decide(facts(running, rotated)).status.engineKey).toEqual(status.engineKey);
  });

  it('a new chain begins with the newest key', () => {
    expect(decide(facts(begun(), rotated)).status.engineKey?.id).toBe('k2');
    expect(secretOf(begun(), rotated)).not.toEqual(secretOf(before));
    const number = (status.incarnation?.number ?? 0) + 1;
    const reset = {
      ...running.status,
      incarnation: { members: {}, revision: 0, ...status.incarnation, number },
    };
    const next = { ...running, status: reset };
    const genesis = { incarnation: engineIncarnationOf(next), at: '2030-01-02T03:04:00Z' };
    const { engineKey } = decide(facts({ ...next, status: { ...reset, genesis } }, rotated)).status;
    expect(engineKey).toEqual({ incarnation: engineIncarnationOf(next), id: 'k2' });
  });

  it('a chain whose key was removed too early keeps running, and says how to get it back', () => {
    const pods = ['el-1', 'cl-1', 'vc-1'].map((part) => podOf(before, part, readyStatus));
    const { status: ready } = decide(facts(running, { pods, answers: { readiness: true } }));
    const ran = { ...running, status: { ...ready, genesis: running.status.genesis } };
    const { status: next, children } = decide(facts(ran, { ...removed, pods }));
    expect(next.state).toBe('Operational');
    expect(next.message).toMatch(
      /engine key "k1" is not installed: put it back into engine-keys, or .*ResetState/,
    );
    expect(children).toBeUndefined();
  });
});
