import { randomBytes } from 'node:crypto';
import { Wallet } from 'ethers';
import { compact } from '../../core/lib/compact.ts';
import { releaseNamespace } from '../../hack/up/names.ts';
import { getJson } from './cluster.ts';
import { type Answer, call, freshEmail, until } from './service.ts';

/** A user with credentials: the bearer of an API token. */
export interface Person {
  email: string;
  userId: string;
  token: string;
  personal: string;
}

/** Calls the Workspace API (`path` starts after its version) or any full path, as the bearer of a token. */
export function ask(by: string | undefined, method: string, path: string, body?: unknown): Promise<Answer> {
  const full = /^\/(network|transaction|v1alpha)\b/.test(path) ? path : `/workspace/v1alpha1${path}`;
  return call(method, full, {
    isAnonymous: true,
    ...(by === undefined ? {} : { headers: { Authorization: `Bearer ${by}` } }),
    ...compact({ body }),
  });
}

/** The body of a response; throws unless the response is a success. */
export async function successBody(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Invites a new user to a workspace and accepts the invitation, which creates the account. */
export async function addMember(by: string, workspace: string, role: string): Promise<Person> {
  const email = freshEmail();
  const invitation = await successBody(
    ask(by, 'POST', `/workspaces/${workspace}/invitations`, { email, role }),
  );
  const { apiKey } = await successBody(
    ask(undefined, 'POST', '/invitations/accept', { token: invitation.token }),
  );
  const { user } = await successBody(ask(apiKey.token, 'GET', '/me'));
  return { email, userId: user.id, token: apiKey.token, personal: user.personalWorkspaceID };
}

/** Creates a workspace and returns its id. */
export async function createWorkspace(by: string, name: string): Promise<string> {
  return (await successBody(ask(by, 'POST', '/workspaces', { name }))).id;
}

/** Removes a person from a workspace, unless the workspace needs that member. */
export async function removeMember(by: string, workspace: string, person: Person): Promise<void> {
  await ask(by, 'DELETE', `/workspaces/${workspace}/memberships/${person.userId}`);
}

/** The administrator's default key, which its owner may read; creates a new one if it was deleted. */
export async function readDefaultKey(): Promise<Wallet> {
  const account = () => getJson('busr', 'admin', '--namespace', releaseNamespace);
  // A new installation generates the key a moment after it has started.
  await until('the account to be ready', account, ({ status }) => status?.conditions?.[0]?.status === 'True');
  const wallet = (await findDefaultKey()) ?? (await createDefaultKey());
  // Networks fund the addresses in the status of the accounts.
  await until(
    'the address of the default key in the account',
    account,
    ({ status }) => status?.address === wallet.address,
  );
  return wallet;
}

const defaultKey = 'default-key';
const walletOf = (data: string) => new Wallet(`0x${Buffer.from(data, 'base64').toString('hex')}`);

async function findDefaultKey(): Promise<Wallet | undefined> {
  const { items } = await successBody(call('GET', '/v1alpha/secrets?limit=500'));
  const known = items.find(({ name }: { name: string }) => name === defaultKey);
  return known && walletOf(known.data);
}

async function createDefaultKey(): Promise<Wallet> {
  const body = { name: defaultKey, type: 'private-key', data: randomBytes(32).toString('base64') };
  await successBody(call('POST', '/v1alpha/secrets', { body }));
  return walletOf(body.data);
}
