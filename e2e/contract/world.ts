import { compact } from '../../core/lib/compact.ts';
import { addMember, ask, createWorkspace, type Person, removeMember, successBody } from '../lib/accounts.ts';
import { kubectl } from '../lib/cluster.ts';
import { type Answer, token as administrator, call, freshName, until } from '../lib/service.ts';

/** A separate workspace with what the contract rows need; rows add the ids of what they create. */
export interface World {
  workspace: string;
  namespace: string;
  owner: Person;
  viewer: Person;
  /** The owner's API token in the workspace. */
  key: string;
  viewerKey: string;
  /** The address of the owner's default key. */
  address: string;
  /** The ids stored by earlier rows, by name. */
  ids: Record<string, string>;
}

export const unknownId = '00000000-0000-4000-8000-000000000000';

export async function openWorld(): Promise<World> {
  const owner = await addMember(administrator, 'default', 'developer');
  const workspace = await createWorkspace(owner.token, freshName('contract'));
  const viewer = await addMember(owner.token, workspace, 'viewer');
  const path = `/workspaces/${workspace}/api-keys`;
  const { token: key } = await successBody(ask(owner.token, 'POST', path, { name: 'walk', role: 'owner' }));
  const { user } = await until(
    'the address of the default key',
    () => successBody(ask(owner.token, 'GET', '/me')),
    (me) => me.user.address !== undefined,
  );
  return {
    workspace,
    owner,
    viewer,
    key,
    viewerKey: viewer.token,
    address: user.address,
    namespace: `slipway-${workspace}`,
    ids: {},
  };
}

export async function closeWorld({ key, owner, workspace, namespace }: World): Promise<void> {
  await kubectl(['--namespace', namespace, 'delete', 'bnet', '--all', '--wait=false']);
  await until(
    'its networks to be deleted',
    () => successBody(ask(key, 'GET', '/v1alpha/networks')),
    ({ items }) => items.length === 0,
  );
  await successBody(ask(owner.token, 'DELETE', `/workspaces/${workspace}`));
  await removeMember(administrator, 'default', owner);
}

export interface Sent {
  method: string;
  /** The path; `{name}` is replaced from `params`. */
  path: string;
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  by?: string | undefined;
}

/** The gateway prefix of a path in the contract, which the Transaction API has. */
export const gatewayPrefix = (path: string) =>
  path.startsWith('/v1alpha1/transaction') ? '/transaction' : '';

export function send(sent: Sent): Promise<Answer> {
  const { method, path, params = {}, query = '', body, headers = {}, by } = sent;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? unknownId);
  return call(method, `${gatewayPrefix(path)}${filled}${query}`, {
    isAnonymous: true,
    headers: { ...(by === undefined ? {} : { Authorization: `Bearer ${by}` }), ...headers },
    ...compact({ body }),
  });
}

/** Reads the current state of the network under test. */
export const networkNow = ({ ids, key }: World): Promise<Answer> =>
  send({
    method: 'GET',
    path: '/v1alpha/networks/{id}',
    by: key,
    params: { id: ids.network ?? unknownId },
  });

export const isIn = (state: string) => (answer: Answer) => answer.body.status?.state === state;
