import { accessKeyOf, formerKeysSeal, hostKeyOf } from '../accounts/accessKeys.ts';
import { currentKeyOf, keyOf } from '../accounts/keyring.ts';
import { aKeyring } from '../accounts/testing/keyrings.ts';
import { annotations, labels } from '../api/names.ts';
import type { KubeMeta } from '../api/resources/kubeObject.ts';
import type { NetworkStatus } from '../api/resources/networkStatus.ts';
import { aNetwork } from '../api/testing/builders.ts';
import { asStored } from '../api/testing/stored.ts';
import { dueSeal, isFromBefore, keyScopesOf } from './keyScopes.ts';

const uid = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';
const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
const victim = '1d8a6f1e-90c5-4c9b-8f0e-5b6d7c8e9f00';
const keyring = aKeyring('the newer access key', 'the older access key');
const accessKeys = { public: { epoch: 0, observedNonce: 0 }, admin: { epoch: 0, observedNonce: 0 } };

interface Options {
  namespace?: string;
  label?: string;
  seal?: string | undefined;
  status?: NetworkStatus;
  metadata?: Partial<KubeMeta>;
}
const networkOf = ({ namespace = 'ws', label, seal, status = {}, metadata = {} }: Options) =>
  asStored(
    aNetwork({
      namespace,
      metadata: {
        uid,
        labels: label === undefined ? {} : { [labels.id]: label },
        annotations: seal === undefined ? {} : { [annotations.formerKeys]: seal },
        ...metadata,
      },
      status,
    }),
  );
const sealOf = (namespace: string, of: string, keyId = 'k2') =>
  formerKeysSeal(keyOf(keyring, keyId), { namespace, id: of });

describe('a network with an id of its own', () => {
  it('has keys of its namespace and id, and is reachable by its uid with keys of the former form', () => {
    const network = networkOf({ label: id, status: { accessKeys } });
    expect(keyScopesOf(network, keyring)).toEqual([{ id, namespace: 'ws' }, { id: uid }]);
  });

  it('has no second keys if its id is its uid', () => {
    expect(keyScopesOf(networkOf({ label: uid, status: { accessKeys } }), keyring)).toEqual([
      { id: uid, namespace: 'ws' },
    ]);
  });

  it('has the same ones before an operator has written its status, and before it has a label', () => {
    expect(keyScopesOf(networkOf({ label: id }), keyring)).toEqual([{ id, namespace: 'ws' }, { id: uid }]);
    expect(keyScopesOf(networkOf({}), keyring)).toEqual([{ id: uid, namespace: 'ws' }]);
  });
});

describe("a label with another network's id", () => {
  const keysOf = (network: ReturnType<typeof networkOf>) =>
    keyScopesOf(network, keyring).flatMap((scope) =>
      (['public', 'admin'] as const).flatMap((access) => {
        const input = { scope, access, epoch: 0 };
        return [...keyring.keys.values()].flatMap((key) => [
          accessKeyOf(key, input),
          hostKeyOf(key, { ...input, service: 'dfns' }),
        ]);
      }),
    );
  const victims: [string, ReturnType<typeof networkOf>][] = [
    ['with an id of its own', networkOf({ label: victim, metadata: { uid: victim.replace('1', '2') } })],
    ['whose id is its uid', networkOf({ label: victim, metadata: { uid: victim } })],
    ['from before', networkOf({ metadata: { uid: victim }, status: { accessKeys } })],
    [
      'from before that has its label',
      networkOf({ label: victim, seal: sealOf('ws', victim), metadata: { uid: victim } }),
    ],
  ];
  const thieves: [string, Options][] = [
    ['a label', { label: victim }],
    ['a label and a status', { label: victim, status: { accessKeys } }],
    ['a label and the seal of the victim', { label: victim, seal: sealOf('ws', victim) }],
    ['a label and a seal that was made up', { label: victim, seal: 'A'.repeat(24) }],
    ['a label and an empty seal', { label: victim, seal: '' }],
  ];
  const cases = victims.flatMap(([who, network]) =>
    thieves.map(([what, options]) => ({ who, what, network, options })),
  );
  it.each(cases)('never gives a key of a network $who to one in another namespace: $what', (one) => {
    const thief = networkOf({ namespace: 'thief', ...one.options });
    const stolen = new Set(keysOf(one.network));
    expect(keysOf(thief).filter((key) => stolen.has(key))).toEqual([]);
  });
});

describe('a network from before', () => {
  const before = networkOf({ status: { accessKeys } });

  it('keeps keys of the former form', () => {
    expect(isFromBefore(before)).toBe(true);
    expect(keyScopesOf(before, keyring)).toEqual([{ id: uid }]);
  });

  it('is one whose status has access keys, and that has no label', () => {
    expect(isFromBefore(networkOf({ status: { state: 'Pending' } }))).toBe(false);
    expect(isFromBefore(networkOf({ label: uid, status: { accessKeys } }))).toBe(false);
    expect(isFromBefore(networkOf({ label: 'mine', status: { accessKeys } }))).toBe(true);
  });

  it.each(['k1', 'k2'])('keeps them with its label and a seal under %s', (keyId) => {
    const network = networkOf({ label: uid, seal: sealOf('ws', uid, keyId), status: { accessKeys } });
    expect(keyScopesOf(network, keyring)).toEqual([{ id: uid }]);
  });

  it('keeps them when it is restored, and is reachable by its new uid as well', () => {
    const network = networkOf({ label: id, seal: sealOf('ws', id), status: { accessKeys } });
    expect(keyScopesOf(network, keyring)).toEqual([{ id }, { id: uid }]);
  });

  it.each([
    ['of another namespace', sealOf('other', uid)],
    ['of another id', sealOf('ws', id)],
    [
      'under a key that is not installed',
      formerKeysSeal(Buffer.from('another'), { namespace: 'ws', id: uid }),
    ],
    ['that was cut', sealOf('ws', uid).slice(0, -1)],
    ['that is empty', ''],
    ['that is missing', undefined],
  ])('loses them with a seal %s', (_what, seal) => {
    const network = networkOf({ label: uid, seal, status: { accessKeys } });
    expect(keyScopesOf(network, keyring)).toEqual([{ id: uid, namespace: 'ws' }]);
  });
});

describe('the seal that is to be written', () => {
  const current = formerKeysSeal(currentKeyOf(keyring), { namespace: 'ws', id: uid });

  it.each<[string, Options, string | undefined]>([
    ['is one of its uid for a network from before', { status: { accessKeys } }, current],
    ['is none for a new network', {}, undefined],
    [
      'is none for a network with an id that was never sealed',
      { label: id, status: { accessKeys } },
      undefined,
    ],
    ['is none for one that has it', { label: uid, seal: current, status: { accessKeys } }, undefined],
    [
      'is one under the current key after that changed',
      { label: uid, seal: sealOf('ws', uid, 'k1'), status: { accessKeys } },
      current,
    ],
    [
      'is none for one with a seal of another network',
      { label: uid, seal: sealOf('ws', id), status: { accessKeys } },
      undefined,
    ],
    [
      'is one of the label for a network that was restored under another key',
      { label: id, seal: sealOf('ws', id, 'k1') },
      sealOf('ws', id),
    ],
  ])('%s', (_case, options, seal) => {
    expect(dueSeal(networkOf(options), keyring)).toBe(seal);
  });

  it('makes the keys what they were, and is due no more once it is there with the label', () => {
    const before = networkOf({ status: { accessKeys } });
    const after = networkOf({ label: uid, seal: dueSeal(before, keyring), status: { accessKeys } });
    expect(keyScopesOf(after, keyring)).toEqual(keyScopesOf(before, keyring));
    expect(dueSeal(after, keyring)).toBeUndefined();
  });
});
