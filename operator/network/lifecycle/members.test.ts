import { hotBalance, memberBalance } from '../../../core/accounts/hotKeys.ts';
import { newMembership, newUser, newWorkspace } from '../../../core/accounts/objects.ts';
import { asStored } from '../../../core/api/testing/stored.ts';
import { isImmutable } from '../../../core/kube/apply/childTypes.ts';
import type { ConfigMap } from '../../../core/kube/types.ts';
import { decide } from '../decide/decide.ts';
import { aNetwork, factsOf, hotAddress } from '../testing/facts.ts';
import { createMemberAddresses } from './members.ts';

const namespace = 'slipway-system';
const workspace = (id: string) => asStored(newWorkspace({ namespace, id, name: id, owners: [] }));
const user = (id: string, address?: string) => ({
  ...newUser({ namespace, id }, { email: `${id}@example.com` }),
  ...(address ? { status: { address } } : {}),
});

test('returns the sorted, unique addresses of the default keys of workspace members', () => {
  const users = new Map(
    [user('ann', '0xbb'), user('ben', '0xaa'), user('cat'), user('dan', '0xcc')].map((one) => [
      one.metadata.name,
      asStored(one),
    ]),
  );
  const members: [string, string][] = [
    ['one', 'ann'],
    ['one', 'ben'],
    ['one', 'cat'],
    ['one', 'gone'],
    ['default', 'dan'],
  ];
  const addressesOf = createMemberAddresses({
    memberships: {
      list: () => members.map(([id, member]) => asStored(newMembership(workspace(id), member, 'developer'))),
    },
    users: { get: ({ name }) => users.get(name) },
    serviceNamespace: namespace,
    defaultWorkspace: { id: 'default', namespace: 'ws' },
  });
  expect(addressesOf('slipway-one')).toEqual(['0xaa', '0xbb']);
  expect(addressesOf('ws')).toEqual(['0xcc']);
  expect(addressesOf('elsewhere')).toEqual([]);
});

describe('a network', () => {
  const member = '0x00000000000000000000000000000000000000bb';
  const filesOf = (memberAddresses: string[], chain = {}) => {
    const { children } = decide(
      factsOf(aNetwork(chain), {
        memberAddresses,
        forkSource: 'http://source',
        answers: { forkHead: { block: 9 } },
      }),
    );
    return children?.filter(({ kind }) => kind === 'ConfigMap') as ConfigMap[];
  };
  const balanceIn = ([files]: ConfigMap[], address: string) => {
    const [text = '{}'] = Object.values(files?.data ?? {});
    return JSON.parse(text).accounts[address]?.balance;
  };

  test.each([
    ['that is not a fork', {}],
    ['that is a fork', { forking: { enabled: true } }],
  ])('%s funds the keys of workspace members at genesis', (_reason, chain) => {
    expect(BigInt(balanceIn(filesOf([member], chain), member))).toBe(memberBalance);
  });

  test('keeps the hot key balance for a hot key that also belongs to a member', () => {
    expect(BigInt(balanceIn(filesOf([hotAddress]), hotAddress))).toBe(hotBalance);
  });

  test('that is running is not changed when members change: files keep their names and content', () => {
    const [before] = filesOf([]);
    const [after] = filesOf([member]);
    expect(after?.metadata.name).toBe(before?.metadata.name);
    expect(isImmutable(after!)).toBe(true);
  });
});
