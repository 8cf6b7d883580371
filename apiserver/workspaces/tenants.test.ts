import { aNetwork, aSecret } from '../../core/api/builders.ts';
import { type OperationId, operationIds, operationOf } from '../../core/api/operations.ts';
import { networkType, secretType } from '../../core/api/resources.ts';
import { type AccountsApi, admin, type Person, startAccountsApi } from '../testing/accountsApi.ts';
import type { Answer } from '../testing/harness.ts';

let world: AccountsApi;
let ann: Person;
let ben: Person;
/** An id of each kind in a workspace that only ann is in, by the operations' parameters. */
const foreign: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  world = await startAccountsApi();
  ann = await world.join('ann@example.com', 'developer');
  const team = (await world.post(ann.token, '/workspaces', { name: 'team' })).id;
  const other = (await world.post(admin, '/workspaces', { name: 'other' })).id;
  ben = await world.join('ben@example.com', 'owner', { workspace: other });
  const namespace = `slipway-${team}`;
  const network = await world.kube.create(
    networkType,
    aNetwork({ namespace, metadata: { uid: undefined! } }),
  );
  const secret = await world.kube.create(secretType, aSecret({ namespace, metadata: { uid: undefined! } }));
  const path = `/workspaces/${team}`;
  const invitation = await world.post(ann.token, `${path}/invitations`, {
    email: 'x@example.com',
    role: 'viewer',
  });
  const key = await world.post(ann.token, `${path}/api-keys`, { name: 'k', role: 'owner' });
  foreign.network = { id: String(network.metadata.uid) };
  foreign.secret = { id: String(secret.metadata.uid) };
  foreign.workspace = { id: team, userId: ann.userId, invitationId: invitation.id, keyId: key.id };
  ownWorkspace = other;
});
afterAll(() => world.api.close());
let ownWorkspace = '';

const bodies: Partial<Record<OperationId, object>> = {
  replaceNetwork: { spec: aNetwork().spec },
  replaceWorkspace: { name: 'mine' },
  replaceMembership: { role: 'viewer' },
  createInvitation: { email: 'eve@example.com', role: 'viewer' },
  createApiKey: { name: 'k', role: 'viewer' },
};

const withIds = operationIds.filter((id) => {
  const { params, api } = operationOf(id);
  return params && api !== 'transaction';
});

async function ask(id: OperationId, params: Record<string, string>): Promise<Answer> {
  const { method, path, api } = operationOf(id);
  const prefix = api === 'secret' ? '/network' : `/${api}`;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '');
  const body = bodies[id];
  return world.api.request(prefix + filled, {
    as: null,
    method,
    headers: { Authorization: `Bearer ${ben.token}`, 'X-Request-ID': 'same' },
    ...(body ? { body } : {}),
  });
}

const unknownOf = (api: string) =>
  api === 'workspace'
    ? {
        id: `w${'0'.repeat(24)}`,
        userId: `u${'0'.repeat(24)}`,
        invitationId: `i${'0'.repeat(24)}`,
        keyId: `k${'0'.repeat(24)}`,
      }
    : { id: '00000000-0000-4000-8000-000000000000' };

test.each(withIds)('%s: what is in another workspace is as unknown as what does not exist', async (id) => {
  const { api } = operationOf(id);
  const theirs = await ask(id, foreign[api] ?? {});
  const nothing = await ask(id, unknownOf(api));
  expect([theirs.status, theirs.text]).toEqual([404, nothing.text]);
  expect(nothing.status).toBe(404);
});

const within = withIds.filter((id) => Object.keys(operationOf(id).params?.shape ?? {}).length > 1);

test.each(within)('%s: nor is it found by way of one’s own workspace', async (id) => {
  const theirs = await ask(id, { ...foreign.workspace, id: ownWorkspace });
  const nothing = await ask(id, { ...unknownOf('workspace'), id: ownWorkspace });
  expect([theirs.status, theirs.text]).toEqual([404, nothing.text]);
});

test('all of theirs is still there, unchanged', async () => {
  const { id, userId, keyId, invitationId } = foreign.workspace ?? {};
  expect(await world.get(ann.token, `/workspaces/${id}`)).toMatchObject({
    name: 'team',
    metadata: { rev: 1 },
  });
  const idsIn = async (list: string, key: string) =>
    (await world.get(ann.token, `/workspaces/${id}/${list}`)).items.map(
      (item: Record<string, string>) => item[key],
    );
  expect(await idsIn('memberships', 'userID')).toEqual([userId]);
  expect(await idsIn('api-keys', 'id')).toEqual([keyId]);
  expect(await idsIn('invitations', 'id')).toEqual([invitationId]);
  const headers = { 'X-Workspace-ID': String(id) };
  expect((await world.ask(ann.token, '/v1alpha/networks', { headers })).json.items).toHaveLength(1);
});

test.each(['/v1alpha/networks', '/v1alpha/secrets', '/me'])(
  '%s: naming a workspace of others in X-Workspace-ID is as naming none that exists',
  async (path) => {
    const answers = await Promise.all(
      [foreign.workspace?.id, 'nonsense', '../default', 'default.admin', ''].map((id) =>
        world.ask(ben.token, path, { headers: { 'X-Workspace-ID': String(id), 'X-Request-ID': 'same' } }),
      ),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  },
);

test('lists hold one’s own alone', async () => {
  for (const path of [
    '/v1alpha/networks',
    '/v1alpha/secrets',
    '/v1alpha/secrets?selector=metadata.ownerID%20!=%20x',
  ]) {
    expect((await world.ask(ben.token, path)).json.items).toEqual([]);
  }
  const { items } = await world.get(ben.token, '/workspaces');
  expect(items.map(({ id }: { id: string }) => id).sort()).toEqual([ownWorkspace, ben.personal].sort());
});
