import { messageOf } from '../../../core/lib/errors.ts';
import { UserError } from '../../lib/run.ts';
import { type Credentials, credentialsOf } from './credentials.ts';
import type { RegistryPath } from './reference.ts';

/** What is asked for: reading is for everyone, in a public repository. */
export type Access = 'pull' | 'pull,push';

/** The repository of one image. */
export interface RepositoryClient {
  /** `path` is below `/v2/<repository>/`, or an address that the registry gave. Throws UserError without access. */
  send(method: string, path: string, options?: SendOptions): Promise<Response>;
}

interface SendOptions {
  headers?: Record<string, string>;
  body?: Blob | string;
  /** Statuses that are answers, not failures, beside those below 300. */
  accepted?: readonly number[];
}

/** `repository` is the image's name without the registry and the tag. */
export async function createClient(
  registry: RegistryPath,
  repository: string,
  access: Access = 'pull,push',
): Promise<RepositoryClient> {
  const credentials = await credentialsOf(registry.host);
  let authorization: string | undefined;
  const request = (url: URL, method: string, { headers = {}, body }: SendOptions) =>
    fetch(url, {
      method,
      headers: { ...headers, ...(authorization ? { Authorization: authorization } : {}) },
      ...(body === undefined ? {} : { body }),
    }).catch((error: unknown) => {
      throw new UserError(
        `the registry ${registry.host} cannot be reached (${reasonOf(error)}): check REGISTRY`,
      );
    });
  return {
    async send(method, path, options = {}) {
      const url = new URL(path, `${registry.url}/v2/${repository}/`);
      let answer = await request(url, method, options);
      const challenge = answer.headers.get('WWW-Authenticate');
      if (answer.status === 401 && challenge) {
        authorization = await authorize(challenge, { credentials, repository, access });
        if (authorization) answer = await request(url, method, options);
      }
      if (answer.ok || options.accepted?.includes(answer.status)) return answer;
      throw new UserError(
        await failure(answer, { registry, repository, hasLogin: credentials !== undefined }),
      );
    },
  };
}

function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause ? error.cause : error);
}

interface Login {
  credentials: Credentials | undefined;
  repository: string;
  access: Access;
}

/** The Authorization header that a challenge asks for; undefined when there are no credentials for it. */
async function authorize(
  challenge: string,
  { credentials, repository, access }: Login,
): Promise<string | undefined> {
  const basic = credentials
    ? `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`
    : undefined;
  if (!/^bearer /i.test(challenge)) return basic;
  const values = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const realm = new URL(String(values.realm));
  if (values.service) realm.searchParams.set('service', values.service);
  realm.searchParams.set('scope', `repository:${repository}:${access}`);
  const answer = await fetch(realm, { headers: basic ? { Authorization: basic } : {} });
  if (!answer.ok) return undefined;
  const { token, access_token: other } = (await answer.json()) as { token?: string; access_token?: string };
  return `Bearer ${token ?? other}`;
}

interface Refused {
  registry: RegistryPath;
  repository: string;
  hasLogin: boolean;
}

async function failure(answer: Response, { registry, repository, hasLogin }: Refused): Promise<string> {
  const said = (await answer.text()).slice(0, 300);
  const what = `${registry.host}/${repository}: the registry refuses the push with ${answer.status}`;
  if (answer.status !== 401 && answer.status !== 403) return `${what} ${said}`.trim();
  const remedy = hasLogin
    ? `your login at ${registry.host} may not push there: ask for the right, or log in as another user with \`docker login ${registry.host}\``
    : `log in with \`docker login ${registry.host}\`, which writes ~/.docker/config.json`;
  return `${what}. What to do: ${remedy}; or set REGISTRY to a path that you may push to.`;
}
