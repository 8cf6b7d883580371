import type { Kube } from '../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { compact } from '../../core/lib/compact.ts';
import {
  type Answer,
  type RequestOptions,
  startTestApi,
  type TestApi,
  type TestApiOptions,
} from './harness.ts';

export const admin = 'bootstrap.secret-of-bootstrap';

/** A user with an account: id, API token, personal workspace. */
export interface Person {
  userId: string;
  token: string;
  personal: string;
}

export interface AccountsApi<K extends Kube = FakeKube> {
  kube: K;
  api: TestApi;
  /** Calls the Workspace API, or any other path that begins with a version, with a token; null: without credentials. */
  ask(token: string | null, path: string, options?: RequestOptions): Promise<Answer>;
  /** Sends a POST and throws unless the answer is a success. */
  get(token: string, path: string): Promise<Answer['json']>;
  post(token: string, path: string, body: object): Promise<Answer['json']>;
  /** Invites a new user and accepts the invitation. */
  join(email: string, role: string, options?: { workspace?: string; by?: string }): Promise<Person>;
}

/** The API with the initial accounts of an installation, over a fake Kube. */
export async function startAccountsApi(options: Partial<TestApiOptions> = {}): Promise<AccountsApi> {
  const kube = createFakeKube(compact({ clock: options.clock }));
  return accountsApiOver(kube, options);
}

/** The same API over any Kube. */
export async function accountsApiOver<K extends Kube>(
  kube: K,
  options: Partial<TestApiOptions> = {},
): Promise<AccountsApi<K>> {
  const api = await startTestApi({ users: [], hasDefaults: true, ...options, kube });
  const ask = (token: string | null, path: string, request: RequestOptions = {}): Promise<Answer> =>
    api.request(/^\/(network|transaction|v1alpha\/)/.test(path) ? path : `/workspace/v1alpha1${path}`, {
      as: null,
      ...request,
      headers: { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...request.headers },
    });
  const right = async (answer: Promise<Answer>): Promise<Answer['json']> => {
    const { status, text, json } = await answer;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return json;
  };
  const post = (token: string, path: string, body: object) => right(ask(token, path, { body }));
  return {
    kube,
    api,
    ask,
    get: (token, path) => right(ask(token, path)),
    post,
    async join(email, role, { workspace = 'default', by = admin } = {}) {
      const { token } = await post(by, `/workspaces/${workspace}/invitations`, { email, role });
      const { apiKey } = await right(ask(null, '/invitations/accept', { body: { token } }));
      const me = await right(ask(apiKey.token, '/me'));
      return { userId: me.user.id, token: apiKey.token, personal: me.user.personalWorkspaceID };
    },
  };
}
