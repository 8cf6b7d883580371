import { type Log, silentLog } from '../core/lib/log.ts';
import type { Resolve } from '../core/outbound/guardedAgent.ts';
import {
  type CountingSource,
  keyedPath,
  type Listening,
  serve,
  startProxy,
  startSource,
} from './testing/proxy.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const host = 'node.example';
const loopback = { allowedHosts: [host, 'other.example', '127.0.0.1', '[::1]'], allowPrivateAddresses: true };
const toLoopback: Resolve = (_name, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);

const resultOf = (result: unknown) => ({ text: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) });

async function startOwn(answer: Parameters<typeof startSource>[0] = () => resultOf('0x1')) {
  const source: CountingSource = await startSource(answer);
  open.push(source);
  return source;
}

async function proxyWith(options: Parameters<typeof startProxy>[1] = {}, sources = {}) {
  const proxy = await startProxy(sources, { ownSources: loopback, resolve: toLoopback, ...options });
  open.push(proxy);
  return proxy;
}

/** The URL under a name, so that it is resolved. */
const named = ({ url }: Listening, name = host) => url.replace('127.0.0.1', name);

async function ask(url: string, method: string, params: unknown[] = []) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    ...(JSON.parse(text) as { result?: unknown; error?: { message: string } }),
  };
}

const balance = ['0x00000000000000000000000000000000000000aa', '0x10'];

describe('a source of a workspace', () => {
  it('is read through the proxy, also of a chain type for which the installation has none', async () => {
    const source = await startOwn();
    const proxy = await proxyWith();
    expect((await ask(proxy.urlFor('Base', 'u-1', named(source)), 'eth_chainId')).result).toBe('0x1');
    expect(await proxy.scrape()).toContain('{type="Base",source="own",outcome="asked"} 1');
  });

  it('shares its answers with all networks that name the same URL, and with no other source', async () => {
    const [first, second, shared] = [
      await startOwn(() => resultOf('0x1')),
      await startOwn(() => resultOf('0x2')),
      await startOwn(() => resultOf('0x3')),
    ];
    const proxy = await proxyWith({}, { Base: shared.url });
    const read = async (uid: string, own?: string) =>
      (await ask(proxy.urlFor('Base', uid, own), 'eth_getBalance', balance)).result;
    expect(await read('u-1', named(first))).toBe('0x1');
    expect(await read('u-2', named(first))).toBe('0x1');
    expect(await read('u-3', named(second))).toBe('0x2');
    expect(await read('u-4')).toBe('0x3');
    expect([first, second, shared].map(({ calls }) => calls.length)).toEqual([1, 1, 1]);
  });

  it('keeps the answers of two keys of one provider apart', async () => {
    const source = await startOwn();
    const proxy = await proxyWith();
    await ask(proxy.urlFor('Base', 'u-1', named(source)), 'eth_getBalance', balance);
    const other = named(source).replace('THE-KEY', 'ANOTHER-KEY');
    const { error } = await ask(proxy.urlFor('Base', 'u-2', other), 'eth_getBalance', balance);
    expect(error?.message).toBe('the fork source answers 401');
  });

  it('takes no more calls at a time than its account may have, whatever number of sources and workspaces that has', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let held = 0;
    const hold = async () => {
      held += 1;
      await promise;
      return resultOf('0x1');
    };
    const sources = [await startOwn(hold), await startOwn(hold), await startOwn(hold)];
    const shareOf = (workspace: string) => workspace.replace(/-\d+$/, '');
    const proxy = await proxyWith({ concurrent: 48, shareOf });
    const asked = sources.flatMap((source, of) =>
      Array.from({ length: 48 }, (_, at) => {
        const network = `greedy-${of}/u-${of}`;
        return ask(proxy.urlFor('Base', network, named(source)), 'eth_call', [at]);
      }),
    );
    while (held < 64) await new Promise(setImmediate);
    const other = proxy.urlFor('Base', 'modest/u-99', named(await startOwn()));
    for (let time = 0; time < 5; time += 1) expect((await ask(other, 'eth_gasPrice')).result).toBe('0x1');
    expect(held).toBe(64);
    resolve();
    await Promise.all(asked);
  });

  it('whose host is no longer allowed is refused by the proxy itself', async () => {
    const source = await startOwn();
    const proxy = await proxyWith({ ownSources: { ...loopback, allowedHosts: ['other.example'] } });
    const { error } = await ask(proxy.urlFor('Base', 'u-1', named(source)), 'eth_chainId');
    expect(error?.message).toContain('forks.ownSources.allowedHosts: other.example');
    expect(source.calls).toEqual([]);
  });

  it.each([
    ['a private address', [{ address: '127.0.0.1', family: 4 }]],
    [
      'a private address beside a public one',
      [
        { address: '192.0.43.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    ],
    ['the address of a metadata service', [{ address: '169.254.169.254', family: 4 }]],
  ])('that resolves to %s is not connected to', async (_case, addresses) => {
    const source = await startOwn();
    const ownSources = { ...loopback, allowPrivateAddresses: false };
    const proxy = await proxyWith({ ownSources, resolve: (_name, done) => done(null, addresses) });
    const url = named(source).replace('http:', 'https:');
    const { error } = await ask(proxy.urlFor('Base', 'u-1', url), 'eth_chainId');
    expect(error?.message).toContain('private or reserved address');
    expect(await proxy.scrape()).toContain('{type="Base",source="own",outcome="failed"} 1');
  });

  it.each([['127.0.0.1'], ['[::1]']])(
    'that is the private address %s is not connected to',
    async (address) => {
      const ownSources = { ...loopback, allowPrivateAddresses: false };
      const proxy = await proxyWith({ ownSources });
      const { error } = await ask(proxy.urlFor('Base', 'u-1', `https://${address}:1/`), 'eth_chainId');
      expect(error?.message).toContain('private or reserved address');
    },
  );

  it('is resolved for each connection, which goes to the address that was checked', async () => {
    const source = await startOwn();
    const names: string[] = [];
    const resolve: Resolve = (name, done) => {
      names.push(name);
      toLoopback(name, done);
    };
    const proxy = await proxyWith({ resolve });
    await ask(proxy.urlFor('Base', 'u-1', named(source)), 'eth_gasPrice');
    await ask(proxy.urlFor('Base', 'u-1', named(source)), 'eth_gasPrice');
    expect(names).toEqual([host]);
  });

  it('that cannot be resolved says so, and not which name', async () => {
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    const proxy = await proxyWith({ resolve: (_name, done) => done(error, []) });
    const { error: answered } = await ask(proxy.urlFor('Base', 'u-1', `https://${host}/`), 'eth_chainId');
    expect(answered?.message).toBe('the fork source does not answer: ENOTFOUND');
  });

  it('that redirects is not followed', async () => {
    const target = await startOwn();
    const redirecting = await serve((_request, response) => {
      response.writeHead(307, { location: target.url }).end();
    });
    open.push(redirecting);
    const proxy = await proxyWith();
    const { error } = await ask(
      proxy.urlFor('Base', 'u-1', `${named(redirecting)}${keyedPath}`),
      'eth_chainId',
    );
    expect([error?.message, target.calls]).toEqual(['the fork source answers 307', []]);
  });
});

describe('the URL of a source of a workspace', () => {
  it('is not readable in the path, and is in no answer and no log', async () => {
    const lines: unknown[] = [];
    const log: Log = {
      ...silentLog,
      info: (...line) => void lines.push(line),
      warn: (...line) => void lines.push(line),
    };
    const answers = [
      { status: 403, text: `bad key ${keyedPath} at ${host}` },
      { status: 503, text: '' },
      {
        text: `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"http://${host}${keyedPath} is over its limit"}}`,
      },
    ];
    const proxy = await proxyWith({ log });
    for (const answer of answers) {
      const source = await startOwn(() => answer);
      const path = proxy.urlFor('Base', `u-${open.length}`, named(source));
      const { text } = await ask(path, 'eth_gasPrice');
      expect(`${path} ${text}`).not.toMatch(/THE-KEY|node\.example/);
      expect(Buffer.from(path.split('/').at(-1) ?? '', 'base64url').toString('latin1')).not.toMatch(
        /THE-KEY/,
      );
    }
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toMatch(/THE-KEY|node\.example/);
  });

  it('opens for the network that it was sealed for, and for no other one', async () => {
    const source = await startOwn();
    const proxy = await proxyWith();
    const url = proxy.urlFor('Base', 'u-1', named(source));
    for (const other of [url.replace('u-1', 'u-2'), url.replace('/Base/', '/Ethereum/'), url.slice(0, -2)]) {
      expect((await ask(other, 'eth_chainId')).status).toBe(404);
    }
    expect(source.calls).toEqual([]);
  });
});
