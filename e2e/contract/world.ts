import { compact } from '../../core/lib/compact.ts';
import { ask, dismiss, join, makeWorkspace, type Person, right } from '../lib/accounts.ts';
import { kubectl } from '../lib/cluster.ts';
import { type Answer, token as administrator, call, freshName, until } from '../lib/service.ts';

/** A workspace of its own with what the rows of the contract need; rows add what they make. */
export interface World {
  workspace: string;
  namespace: string;
  owner: Person;
  viewer: Person;
  /** API token of the owner, in the workspace. */
  key: string;
  viewerKey: string;
  /** Address of the owner's default key. */
  address: string;
  /** What rows have kept, by name. */
  ids: Record<string, string>;
}

export const unknownId = '00000000-0000-4000-8000-000000000000';

export async function openWorld(): Promise<World> {
  const owner = await join(administrator, 'default', 'developer');
  const workspace = await makeWorkspace(owner.token, freshName('contract'));
  const viewer = await join(owner.token, workspace, 'viewer');
  const path = `/workspaces/${workspace}/api-keys`;
  const { token: key } = await right(ask(owner.token, 'POST', path, { name: 'walk', role: 'owner' }));
  const { user } = await until(
    'the address of the default key',
    () => right(ask(owner.token, 'GET', '/me')),
    (me) => me.user.address !== undefined,
  );
  return {
    ...{ workspace, owner, viewer, key, viewerKey: viewer.token, address: user.address },
    ...{ namespace: `slipway-${workspace}`, ids: {} },
  };
}

export async function closeWorld({ key, owner, workspace, namespace }: World): Promise<void> {
  await kubectl(['--namespace', namespace, 'delete', 'bnet', '--all', '--wait=false']);
  await until(
    'the end of its networks',
    () => right(ask(key, 'GET', '/v1alpha/networks')),
    ({ items }) => items.length === 0,
  );
  await right(ask(owner.token, 'DELETE', `/workspaces/${workspace}`));
  await dismiss(administrator, 'default', owner);
}

export interface Sent {
  method: string;
  /** With `{name}` for what is in `params`. */
  path: string;
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  by?: string | undefined;
}

/** Where the contract gives a path: the Transaction API behind its gateway prefix. */
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

/** The network under test, as it is now. */
export const networkNow = ({ ids, key }: World): Promise<Answer> =>
  send({
    ...{ method: 'GET', path: '/v1alpha/networks/{id}', by: key },
    params: { id: ids.network ?? unknownId },
  });

export const isIn = (state: string) => (answer: Answer) => answer.body.status?.state === state;
