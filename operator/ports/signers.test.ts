import { namespaceOf } from '../../core/accounts/ids.ts';
import type { Keyring } from '../../core/accounts/keyring.ts';
import { addressOfPrivateKey } from '../../core/accounts/keys.ts';
import { personalWorkspaceOf } from '../../core/accounts/objects.ts';
import { createSealer } from '../../core/accounts/seal.ts';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import { defaultKeyName, labels } from '../../core/api/names.ts';
import type { UserResource } from '../../core/api/resources/accountResources.ts';
import type { KubeObject } from '../../core/api/resources/kubeObject.ts';
import { aMembership, aUser, aWorkspace, serviceNamespace } from '../../core/api/testing/accountBuilders.ts';
import { aSecret, aToken } from '../../core/api/testing/builders.ts';
import { asStored } from '../../core/api/testing/stored.ts';
import { compact } from '../../core/lib/compact.ts';
import { createSigners } from './signers.ts';

const sealer = createSealer({ currentId: 'k1', keys: new Map([['k1', Buffer.alloc(32, 1)]]) });
const defaultWorkspace = { id: 'default', namespace: 'slipway-default' };
const team = aWorkspace({ spec: { owners: ['ann', 'ben'] } });
const members = ['ann', 'ben', 'dan'];
const keyOf = (user: string) => Buffer.alloc(32, members.indexOf(user) + 1);

/** What a cache of these objects finds. */
function cacheOf<Resource extends KubeObject>(objects: Resource[]) {
  const stored = objects.map((object) => asStored(object));
  return {
    list: () => stored,
    get: ({ namespace, name }: { namespace?: string; name: string }) =>
      stored.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
  };
}

function defaultKeyOf(user: UserResource) {
  const place = {
    namespace: namespaceOf(personalWorkspaceOf(user), defaultWorkspace),
    name: defaultKeyName,
  };
  const owner = user.metadata.name;
  const data = sealer.seal(keyOf(owner), { ...place, owner });
  return aSecret({ ...place, metadata: { labels: { [labels.owner]: owner } }, spec: { data } });
}

const users = [...members, 'eve'].map((name) => aUser({ name }));
const signers = createSigners({
  caches: {
    users: cacheOf(users),
    workspaces: cacheOf([team]),
    memberships: cacheOf(members.map((user) => aMembership({ spec: { user } }))),
    secrets: cacheOf(users.slice(0, 3).map(defaultKeyOf)),
  },
  sealer,
  serviceAccountKeys: aKeyring('service account key'),
  installation: { defaultWorkspace },
  serviceNamespace,
});
const signerOf = (owner: Record<string, string>) =>
  signers.ownerOf(aToken({ namespace: 'slipway-team', metadata: { labels: owner } }));

it('the user that the label names signs, if that user is a member of the workspace', () => {
  const { user, address } = signerOf({ [labels.owner]: 'dan' });
  expect([user, address]).toEqual(['dan', addressOfPrivateKey(keyOf('dan'))]);
  expect(() => signerOf({ [labels.owner]: 'eve' })).toThrow(/member of the workspace/);
});

it('without the label, the first owner of the workspace signs', () => {
  const { user, address } = signerOf({});
  expect([user, address]).toEqual(['ann', addressOfPrivateKey(keyOf('ann'))]);
});

describe('the service account of a workspace', () => {
  const oldKey = aKeyring('the old key');
  const bothKeys = aKeyring('the new key', 'the old key');
  const newKey = { currentId: 'k2', keys: new Map([['k2', Buffer.from('the new key')]]) };
  const addressWith = (serviceAccountKeys: Keyring, serviceAccountKey?: string) =>
    createSigners({
      caches: {
        users: cacheOf(users),
        workspaces: cacheOf([{ ...team, status: compact({ serviceAccountKey }) }]),
        memberships: cacheOf([]),
        secrets: cacheOf([]),
      },
      sealer,
      serviceAccountKeys,
      serviceNamespace,
      installation: { defaultWorkspace },
    }).serviceOf('slipway-team').address;

  it('stays the same when a newer key is installed: its contracts and its funds are on chains', () => {
    expect(addressWith(bothKeys, 'k1')).toBe(addressWith(oldKey, 'k1'));
  });

  it('is that of the newest key in a new workspace', () => {
    expect(addressWith(bothKeys, 'k2')).not.toBe(addressWith(oldKey, 'k1'));
    expect(addressWith(bothKeys)).toBe(addressWith(bothKeys, 'k2'));
  });

  it('is that of the newest key once its own was removed', () => {
    expect(addressWith(newKey, 'k1')).toBe(addressWith(bothKeys, 'k2'));
  });
});
