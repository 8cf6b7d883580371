import { randomBytes } from 'node:crypto';
import { Wallet } from 'ethers';
import { compact } from '../../core/lib/compact.ts';
import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson } from './cluster.ts';
import { type Answer, call, until } from './service.ts';

/** Someone with credentials, as the bearer of an API token. */
export interface Person {
  email: string;
  userId: string;
  token: string;
  personal: string;
}

/** A call of the Workspace API (paths begin after its version), or of any full path, as the bearer of a token. */
export function ask(by: string | undefined, method: string, path: string, body?: unknown): Promise<Answer> {
  const full = /^\/(network|transaction|v1alpha)\b/.test(path) ? path : `/workspace/v1alpha1${path}`;
  return call(method, full, {
    isAnonymous: true,
    ...(by === undefined ? {} : { headers: { Authorization: `Bearer ${by}` } }),
    ...compact({ body }),
  });
}

/** The body of an answer that must be a success. */
export async function right(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

export function freshEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.com`;
}

/** Invites somebody new to a workspace and lets them in, which makes their account. */
export async function join(by: string, workspace: string, role: string): Promise<Person> {
  const email = freshEmail();
  const invitation = await right(ask(by, 'POST', `/workspaces/${workspace}/invitations`, { email, role }));
  const { apiKey } = await right(ask(undefined, 'POST', '/invitations/accept', { token: invitation.token }));
  const { user } = await right(ask(apiKey.token, 'GET', '/me'));
  return { email, userId: user.id, token: apiKey.token, personal: user.personalWorkspaceID };
}

/** Makes a workspace; the answer is its id. */
export async function makeWorkspace(by: string, name: string): Promise<string> {
  return (await right(ask(by, 'POST', '/workspaces', { name }))).id;
}

/** Takes a person's memberships away, but those that a workspace cannot do without. */
export async function dismiss(by: string, workspace: string, person: Person): Promise<void> {
  await ask(by, 'DELETE', `/workspaces/${workspace}/memberships/${person.userId}`);
}

/** The administrator's default key, which its owner may read, and put another one in the place of. */
export async function readDefaultKey(): Promise<Wallet> {
  const { body } = await call('GET', '/v1alpha/secrets?limit=500');
  const known = body.items.find(({ name }: { name: string }) => name === 'default-key');
  const data = known?.data ?? randomBytes(32).toString('base64');
  if (!known)
    await call('POST', '/v1alpha/secrets', { body: { name: 'default-key', type: 'private-key', data } });
  const own = new Wallet(`0x${Buffer.from(data, 'base64').toString('hex')}`);
  const user = () => getJson('busr', 'admin', '--namespace', releaseNamespace);
  await until('the address in the account', user, ({ status }) => status?.address === own.address);
  return own;
}
