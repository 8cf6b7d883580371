import { defaultKeyName, labels } from '../../core/api/names.ts';
import { type OperationId, operationIds, operationOf } from '../../core/api/operations/operations.ts';
import type { KubeObject, ResourceType } from '../../core/api/resources/kubeObject.ts';
import {
  networkType,
  recordingType,
  secretType,
  snapshotType,
  tokenType,
} from '../../core/api/resources/resources.ts';
import { aNetwork, aRecording, aSecret, aSnapshot, aToken } from '../../core/api/testing/builders.ts';
import { features } from '../../test/features.ts';
import { type AccountsApi, admin, type Person, startAccountsApi } from '../testing/accountsApi.ts';
import type { Ids } from '../testing/tenantRow.ts';
import { probeOf, tenantRows, unknownIds } from '../testing/tenants.ts';

let world: AccountsApi;
let ann: Person;
let ben: Person;
/** An id of each kind in a workspace of which only ann is a member. */
let foreign: Ids;
/** A workspace, a network and a token of ben. */
let own: Pick<Ids, 'workspace' | 'network' | 'token'>;
let foreignNamespace = '';

async function make<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<string> {
  const { metadata } = await world.kube.create(type, object);
  return String(metadata.uid);
}

beforeAll(async () => {
  world = await startAccountsApi();
  ann = await world.join('ann@example.com', 'developer');
  const team = (await world.post(ann.token, '/workspaces', { name: 'team' })).id;
  const other = (await world.post(admin, '/workspaces', { name: 'other' })).id;
  ben = await world.join('ben@example.com', 'owner', { workspace: other });
  const at = (namespace: string) => ({ namespace, metadata: { uid: undefined! } });
  const [theirs, bens] = [at(`slipway-${team}`), at(`slipway-${other}`)];
  const path = `/workspaces/${team}`;
  const guest = { email: 'x@example.com', role: 'viewer' };
  foreignNamespace = theirs.namespace;
  const ofFeatures = features
    .flatMap(({ objects = {} }) => Object.entries(objects))
    .map(async ([kind, { type, make: made }]) => [kind, await make(type, made(theirs))] as const);
  foreign = {
    network: await make(networkType, aNetwork(theirs)),
    secret: await make(secretType, aSecret(theirs)),
    token: await make(tokenType, aToken(theirs)),
    recording: await make(recordingType, aRecording(theirs)),
    snapshot: await make(snapshotType, aSnapshot(theirs)),
    ...Object.fromEntries(await Promise.all(ofFeatures)),
    workspace: team,
    user: ann.userId,
    invitation: (await world.post(ann.token, `${path}/invitations`, guest)).id,
    key: (await world.post(ann.token, `${path}/api-keys`, { name: 'k', role: 'owner' })).id,
  };
  const owned = { labels: { [labels.owner]: ben.userId } };
  const workspaceNamespace = `slipway-${ben.personal}`;
  await make(secretType, aSecret({ name: defaultKeyName, namespace: workspaceNamespace, metadata: owned }));
  own = {
    workspace: other,
    network: await make(networkType, aNetwork(bens)),
    token: await make(tokenType, aToken({ ...bens, metadata: owned })),
  };
});
afterAll(() => world.api.close());

const named = operationIds.filter((id) => probeOf(id, unknownIds) !== undefined);
const hasPath = (id: OperationId) => operationOf(id).params !== undefined;

test('every operation declares which ids refer to objects', () => {
  expect(Object.keys(tenantRows).sort()).toEqual([...operationIds].sort());
  // Wallet addresses and transaction hashes are not ids of objects.
  const others: readonly OperationId[] = [
    'listActiveRecordings',
    'getSubmission',
    ...features.flatMap(({ namesOthers = [] }) => namesOthers),
  ];
  const withPath = operationIds.filter((id) => hasPath(id) && !others.includes(id));
  expect(named).toEqual(expect.arrayContaining(withPath));
});

/** The answer to ben with the ids that he sent removed. */
async function ask(id: OperationId, ids: Ids): Promise<{ status: number; text: string }> {
  const { path = '', ...request } = probeOf(id, ids) ?? {};
  const { status, text } = await world.ask(ben.token, path, {
    ...request,
    headers: { 'X-Request-ID': 'same' },
  });
  return { status, text: Object.values(ids).reduce((former, one) => former.replaceAll(one, '…'), text) };
}

test.each(named)('%s: an object of another workspace looks like one that does not exist', async (id) => {
  const nothing = await ask(id, unknownIds);
  expect(await ask(id, foreign)).toEqual(nothing);
  expect(hasPath(id) ? [404] : [400, 404]).toContain(nothing.status);
});

const nested = named.filter((id) => Object.keys(operationOf(id).params?.shape ?? {}).length > 1);
const combined: OperationId[] = [...nested, 'addDeployments'];

test.each(combined)('%s: it cannot be reached through an object of the caller either', async (id) => {
  const { workspace, token } = own;
  const theirs = await ask(id, { ...foreign, workspace, token });
  expect(theirs).toEqual(await ask(id, { ...unknownIds, workspace, token }));
  expect([400, 404]).toContain(theirs.status);
});

const inChain = (privateKeyRef: object) => ({ chain: { type: 'Ethereum', ethereum: { privateKeyRef } } });

test.each([
  ['by its name', () => ({ name: 'hot-key' }), () => ({ name: 'no-key1' })],
  [
    'by a path',
    () => ({ name: `${foreignNamespace}/hot-key` }),
    () => ({ name: `${foreignNamespace}/no-key1` }),
  ],
  [
    'by its namespace',
    () => ({ name: 'hot-key', namespace: foreignNamespace }),
    () => ({ name: 'no-key1', namespace: foreignNamespace }),
  ],
])(
  'a secret of another workspace, referenced %s, looks to a network like one that does not exist',
  async (how, theirs, none) => {
    const put = async (privateKeyRef: object) => {
      const { status, json } = await world.ask(ben.token, `/v1alpha/networks/${own.network}`, {
        method: 'PUT',
        body: { spec: inChain(privateKeyRef) },
        headers: { 'X-Request-ID': 'same' },
      });
      return {
        status,
        text: JSON.stringify([json.message, json.details, json.status?.state]).replaceAll(
          'hot-key',
          'no-key1',
        ),
      };
    };
    const answer = await put(theirs());
    expect(answer).toEqual(await put(none()));
    // A plain name can only refer to a secret of the same workspace, which may be created later.
    expect(answer.status).toBe(how === 'by its name' ? 200 : 400);
  },
);

test('all objects of the other workspace are unchanged', async () => {
  const { workspace: id, user, key: keyId, invitation } = foreign;
  expect(await world.get(ann.token, `/workspaces/${id}`)).toMatchObject({
    name: 'team',
    metadata: { rev: 1 },
  });
  const idsIn = async (list: string, key: string) =>
    (await world.get(ann.token, `/workspaces/${id}/${list}`)).items.map(
      (item: Record<string, string>) => item[key],
    );
  expect(await idsIn('memberships', 'userID')).toEqual([user]);
  expect(await idsIn('api-keys', 'id')).toEqual([keyId]);
  expect(await idsIn('invitations', 'id')).toEqual([invitation]);
  const headers = { 'X-Workspace-ID': String(id) };
  expect((await world.ask(ann.token, '/v1alpha/networks', { headers })).json.items).toHaveLength(1);
});

test.each(['/v1alpha/networks', '/v1alpha/secrets', '/me'])(
  '%s: X-Workspace-ID with the workspace of another user behaves like one that does not exist',
  async (path) => {
    const answers = await Promise.all(
      [foreign.workspace, 'nonsense', '../default', 'default.admin', ''].map((id) =>
        world.ask(ben.token, path, { headers: { 'X-Workspace-ID': String(id), 'X-Request-ID': 'same' } }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  },
);

test('lists only contain objects of the caller', async () => {
  for (const path of [
    '/v1alpha/networks',
    '/v1alpha/secrets',
    '/v1alpha/secrets?selector=metadata.ownerID%20!=%20x',
  ]) {
    const { items } = (await world.ask(ben.token, path)).json;
    expect(items.filter(({ id }: { id: string }) => id !== own.network)).toEqual([]);
  }
  const { items } = await world.get(ben.token, '/workspaces');
  expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([own.workspace, ben.personal].sort());
});
