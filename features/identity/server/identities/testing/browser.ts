import type { AccountsApi } from '../../../../../apiserver/testing/accountsApi.ts';
import type { Answer, RequestOptions } from '../../../../../apiserver/testing/harness.ts';
import type { IdentityProvider, Somebody } from '../../oidc/testing/identityProvider.ts';

/** A browser with its cookies, at the pages of the installation. */
export function createBrowser(world: Pick<AccountsApi, 'ask'>) {
  const jar = new Map<string, string>();

  async function send(path: string, options: RequestOptions = {}): Promise<Answer> {
    const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...(Cookie ? { Cookie } : {}), ...options.headers };
    const answer = await world.ask(null, path, { ...options, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  return {
    jar,
    send,
    /** Leaves for the provider, is somebody there, and comes back with this query. */
    async visit(
      provider: IdentityProvider,
      who: Somebody | 'refuse',
      body: object = {},
      path = '/sign-in/oidc/staff',
    ): Promise<string> {
      const begun = await send(path, { method: 'POST', ...(path.includes('identities') ? {} : { body }) });
      if (begun.status !== 201) throw new Error(begun.text);
      return provider.visit(begun.json.url, who);
    },
    finish: (callback: string) => send('/sign-in/oidc', { body: { callback } }),
    link: (callback: string) => send('/identities', { body: { callback } }),
    me: async () => (await send('/me')).json,
  };
}
