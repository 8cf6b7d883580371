import { compact } from '../core/lib/compact.ts';
import {
  type CountingSource,
  keyedPath,
  type RunningProxy,
  serve,
  startProxy,
  startSource,
} from './testing/proxy.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

type Answer = Parameters<typeof startSource>[0];
const resultOf = (result: unknown) => ({ text: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) });

async function start(answer: Answer, options: Parameters<typeof startProxy>[1] = {}) {
  const source: CountingSource = await startSource(answer);
  open.push(source);
  const proxy: RunningProxy = await startProxy({ Ethereum: source.url, Solana: source.url }, options);
  open.push(proxy);
  return { source, proxy };
}

/** The source is asked one call at a time, and answers each when the test says so. */
async function startHeld(shareOf?: (workspace: string) => string) {
  const answers: (() => void)[] = [];
  const answer = async () => {
    await new Promise<void>((resolve) => void answers.push(resolve));
    return resultOf('0x7');
  };
  return { answers, ...(await start(answer, { concurrent: 1, ...compact({ shareOf }) })) };
}

async function post(url: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}

async function ask(url: string, method: string, params: unknown[] = []) {
  const { text } = await post(url, { jsonrpc: '2.0', id: 7, method, params });
  return JSON.parse(text) as { id: number; result?: unknown; error?: { code: number; message: string } };
}

describe('who may read from a source', () => {
  it.each([
    ['another chain type', (url: string) => url.replace('/Ethereum/', '/Solana/')],
    ['another network', (url: string) => url.replace('/u-1/', '/u-2/')],
    ['nothing', (url: string) => url.slice(0, url.indexOf('/forks/'))],
  ])('404 with a token for %s, and the source is not asked', async (_case, changed) => {
    const { source, proxy } = await start(() => resultOf('0x1'));
    const { status } = await post(changed(proxy.urlFor('Ethereum')), {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_chainId',
    });
    expect([status, source.counts.size]).toEqual([404, 0]);
  });

  it('a chain type without a source has an error that names the remedy, which engines print', async () => {
    const { proxy } = await start(() => resultOf('0x1'));
    const { error } = await ask(proxy.urlFor('Base'), 'eth_chainId');
    expect(error?.message).toContain('set forkSources.Base in the chart values');
  });

  it.each([
    ['Ethereum', 'eth_sendRawTransaction'],
    ['Ethereum', 'anvil_setBalance'],
    ['Ethereum', 'personal_unlockAccount'],
    ['Ethereum', 'constructor'],
    ['Ethereum', 'getAccountInfo'],
    ['Solana', 'sendTransaction'],
    ['Solana', 'requestAirdrop'],
    ['Solana', 'surfnet_setAccount'],
    ['Solana', 'eth_chainId'],
  ] as const)('%s: the method %s is not forwarded', async (type, method) => {
    const { source, proxy } = await start(() => resultOf('0x1'));
    const { error } = await ask(proxy.urlFor(type), method);
    expect([error?.code, source.counts.size]).toEqual([-32_601, 0]);
    expect(await proxy.scrape()).toContain(
      `slipway_fork_calls_total{type="${type}",source="installation",outcome="refused"} 1`,
    );
  });
});

describe('the URL of a source', () => {
  const secret = /THE-KEY|127\.0\.0\.1/;

  it.each([
    [
      'its JSON-RPC error',
      200,
      `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"bad key THE-KEY-OF-THE-PROVIDER"}}`,
    ],
    [
      'an error with a URL',
      200,
      `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"see http://127.0.0.1/x"}}`,
    ],
    ['a page', 403, `<h1>${keyedPath} is not allowed</h1>`],
    ['JSON of its own', 401, JSON.stringify({ message: keyedPath })],
  ])('is not in an answer that is %s', async (_case, status, text) => {
    const { proxy } = await start(() => ({ status, text }));
    const answer = await ask(proxy.urlFor('Ethereum'), 'eth_gasPrice');
    expect(answer.error?.message).toBeTruthy();
    expect(JSON.stringify(answer)).not.toMatch(secret);
  });

  it('is not in the error when nobody listens there', async () => {
    const closed = await serve(() => undefined);
    await closed.close();
    const proxy = await startProxy({ Ethereum: `${closed.url}${keyedPath}` });
    open.push(proxy);
    const answer = await ask(proxy.urlFor('Ethereum'), 'eth_gasPrice');
    expect(answer.error?.message).toContain('the fork source does not answer');
    expect(JSON.stringify(answer)).not.toMatch(secret);
  });

  it('gives its user and password to the source', async () => {
    let seen: string | undefined;
    const source = await serve((request, response) => {
      seen = request.headers.authorization;
      response.end(resultOf('0x1').text);
    });
    open.push(source);
    const proxy = await startProxy({ Ethereum: source.url.replace('//', '//me:p%40ss@') });
    open.push(proxy);
    expect((await ask(proxy.urlFor('Ethereum'), 'eth_gasPrice')).result).toBe('0x1');
    expect(seen).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });
});

describe('what is asked of a source', () => {
  const address = '0x00000000000000000000000000000000000000Aa';

  it('state at a block is asked once for all networks, whichever case an address is written in', async () => {
    const { source, proxy } = await start(() => resultOf('0x7'));
    await ask(proxy.urlFor('Ethereum', 'u-1'), 'eth_getBalance', [address, '0x10']);
    const { id, result } = await ask(proxy.urlFor('Ethereum', 'u-2'), 'eth_getBalance', [
      address.toLowerCase(),
      '0x10',
    ]);
    expect([id, result, source.counts.get('eth_getBalance')]).toEqual([7, '0x7', 1]);
  });

  it('an account is asked for in the same way by forks that use one call for it and by those that use three', async () => {
    const answers: Record<string, string> = {
      eth_getBalance: '0x7',
      eth_getTransactionCount: '0x2',
      eth_getCode: '0x60',
    };
    const { source, proxy } = await start(({ method }) => resultOf(answers[method]));
    const both = [
      ask(proxy.urlFor('Ethereum', 'u-1'), 'eth_getAccountInfo', [address, '0x10']),
      ask(proxy.urlFor('Ethereum', 'u-2'), 'eth_getCode', [address, '0x10']),
    ];
    const [{ result } = {}] = await Promise.all(both);
    expect(result).toEqual({ balance: '0x7', nonce: '0x2', code: '0x60' });
    expect(Object.fromEntries(source.counts)).toEqual({
      eth_getBalance: 1,
      eth_getTransactionCount: 1,
      eth_getCode: 1,
    });
  });

  it('an account whose code the source refuses has the error of the source', async () => {
    const { proxy } = await start(({ method }) =>
      method === 'eth_getCode'
        ? { text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"missing trie node"}}' }
        : resultOf('0x1'),
    );
    const { error } = await ask(proxy.urlFor('Ethereum'), 'eth_getAccountInfo', [address, '0x10']);
    expect(error?.message).toBe('missing trie node');
  });

  it.each([
    ['state at the latest block', 'eth_getBalance', [address, 'latest'], '0x7'],
    ['the number of the latest block', 'eth_blockNumber', [], '0x7'],
    ['what is not there yet', 'eth_getTransactionReceipt', ['0x01'], null],
    ['a transaction that waits', 'eth_getTransactionByHash', ['0x01'], { blockNumber: null }],
  ])('%s is asked each time', async (_case, method, params, result) => {
    const { source, proxy } = await start(() => resultOf(result));
    for (let time = 0; time < 2; time += 1) await ask(proxy.urlFor('Ethereum'), method, params);
    expect(source.counts.get(method)).toBe(2);
  });

  it('the same question is asked once while its answer is on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { source, proxy } = await start(async () => {
      arrived.resolve();
      await promise;
      return resultOf('0x7');
    });
    const first = ask(proxy.urlFor('Ethereum', 'u-1'), 'eth_gasPrice');
    await arrived.promise;
    const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_gasPrice', params: [] }));
    const joined = post(proxy.urlFor('Ethereum', 'u-2'), [
      ...batch,
      { jsonrpc: '2.0', id: 4, method: 'eth_chainId' },
    ]);
    while (!source.counts.has('eth_chainId')) await new Promise(setImmediate);
    resolve();
    expect((await first).result).toBe('0x7');
    expect((JSON.parse((await joined).text) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(source.counts.get('eth_gasPrice')).toBe(1);
    expect(await proxy.scrape()).toContain(
      'slipway_fork_calls_total{type="Ethereum",source="installation",outcome="joined"} 3',
    );
  });

  it.each([
    ...['getEpochInfo', 'getEpochSchedule', 'getGenesisHash', 'getFirstAvailableBlock', 'getAccountInfo'],
    ...['getMultipleAccounts', 'getProgramAccounts', 'getLargestAccounts', 'getTokenAccountsByOwner'],
    ...['getTokenAccountsByDelegate', 'getTokenLargestAccounts', 'getSignaturesForAddress'],
    ...['getTransaction', 'getBlock'],
  ])('Solana: %s, which a light fork asks for', async (method) => {
    const { source, proxy } = await start(() => resultOf(7));
    expect((await ask(proxy.urlFor('Solana'), method, ['x'])).result).toBe(7);
    expect(source.counts.get(method)).toBe(1);
  });

  it('numbers keep all their digits', async () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"value":{"rentEpoch":18446744073709551615}}}';
    const { proxy } = await start(() => ({ text }));
    const answer = await post(proxy.urlFor('Solana'), {
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: [],
    });
    expect(answer.text).toContain('18446744073709551615');
  });

  it('a source that is overloaded is asked again', async () => {
    let failures = 3;
    const { source, proxy } = await start(() => {
      failures -= 1;
      return failures >= 0
        ? { status: 429, text: 'slow down', headers: { 'retry-after': '1' } }
        : resultOf('0x7');
    });
    expect((await ask(proxy.urlFor('Ethereum'), 'eth_gasPrice')).result).toBe('0x7');
    expect(source.counts.get('eth_gasPrice')).toBe(4);
    expect(await proxy.scrape()).toContain(
      'slipway_fork_source_requests_total{type="Ethereum",source="installation",outcome="repeated"} 3',
    );
  });

  it('one that stays overloaded is asked six times, and one that refuses once', async () => {
    const overloaded = await start(() => ({ status: 503, text: '' }));
    const { error } = await ask(overloaded.proxy.urlFor('Ethereum'), 'eth_gasPrice');
    expect([error?.message, overloaded.source.counts.get('eth_gasPrice')]).toEqual([
      'the fork source answers 503',
      6,
    ]);
    const refusing = await start(() => ({ status: 403, text: '' }));
    await ask(refusing.proxy.urlFor('Ethereum'), 'eth_gasPrice');
    expect(refusing.source.counts.get('eth_gasPrice')).toBe(1);
  });

  it('no more requests are sent at a time than allowed', async () => {
    let running = 0;
    let most = 0;
    const { proxy } = await start(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return resultOf('0x7');
      },
      { concurrent: 2 },
    );
    const calls = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [id],
    }));
    const { text } = await post(proxy.urlFor('Ethereum'), calls);
    expect([(JSON.parse(text) as unknown[]).length, most]).toEqual([20, 2]);
  });

  it('the question of a network with many calls keeps no other network waiting that has the same one', async () => {
    const { source, proxy, answers } = await startHeld();
    const [greedy, modest] = [proxy.urlFor('Ethereum', 'u-1'), proxy.urlFor('Ethereum', 'u-2')];
    const calls = Array.from({ length: 10 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [id],
    }));
    const same = { jsonrpc: '2.0', id: 99, method: 'eth_gasPrice' };
    const queued = post(greedy, [...calls, same]);
    while (answers.length < 1) await new Promise(setImmediate);
    // The second call is refused at once, and tells that the first one waits.
    const asked = post(modest, [same, { ...same, method: 'eth_sendRawTransaction' }]);
    while (!(await proxy.scrape()).includes('outcome="refused"} 1')) await new Promise(setImmediate);
    for (let at = 0; at < 12; at += 1) {
      while (answers.length <= at) await new Promise(setImmediate);
      if (at === 1) expect(source.calls.map(({ method }) => method)[1]).toBe('eth_gasPrice');
      answers[at]?.();
    }
    expect((await asked).text).toContain('"result":"0x7"');
    const results = (JSON.parse((await queued).text) as { result: string }[]).map(({ result }) => result);
    expect(results).toEqual(Array.from({ length: 11 }, () => '0x7'));
  });

  /** In which order these forks are asked, each of which calls in this order: its workspace, and its network. */
  async function orderOf(
    forks: readonly string[],
    shareOf?: (workspace: string) => string,
  ): Promise<string[]> {
    const { source, proxy, answers } = await startHeld(shareOf);
    const asked: Promise<unknown>[] = [];
    for (const [index, fork] of forks.entries()) {
      // The second call is refused at once, and tells that the first one waits.
      const batch = ['eth_call', 'eth_sendRawTransaction'].map((method, id) => ({
        jsonrpc: '2.0',
        id,
        method,
        params: [fork],
      }));
      asked.push(post(proxy.urlFor('Ethereum', fork), batch));
      const count = `outcome="refused"} ${index + 1}`;
      while (!(await proxy.scrape()).includes(count)) await new Promise(setImmediate);
    }
    for (let at = 0; at < forks.length; at += 1) {
      while (answers.length <= at) await new Promise(setImmediate);
      answers[at]?.();
    }
    await Promise.all(asked);
    return source.calls.map(({ text }) => /[\w-]+\/u-\d/.exec(text)?.[0] ?? '');
  }

  it('the forks of one workspace, however many, keep no other workspace waiting', async () => {
    const greedy = ['greedy/u-1', 'greedy/u-2', 'greedy/u-3', 'greedy/u-4'];
    const [first = '', ...others] = greedy;
    expect(await orderOf([...greedy, 'modest/u-5'])).toEqual([first, 'modest/u-5', ...others]);
  });

  it('the forks of one account, whatever number of workspaces it has, keep no other account waiting', async () => {
    const greedy = ['greedy-1/u-1', 'greedy-2/u-2', 'greedy-3/u-3', 'greedy-4/u-4'];
    const [first = '', ...others] = greedy;
    const order = await orderOf([...greedy, 'modest/u-5'], (workspace) => workspace.replace(/-\d$/, ''));
    expect(order).toEqual([first, 'modest/u-5', ...others]);
  });

  it('the forks of one account hold no more than its share of the memory, and leave the rest to others', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { proxy } = await start(
      async ({ method }) => {
        if (method === 'eth_gasPrice') await promise;
        return resultOf('0x7');
      },
      { shareOf: (workspace) => workspace.replace(/-\d+$/, '') },
    );
    const asked = Array.from({ length: 21 }, (_, at) =>
      post(proxy.urlFor('Ethereum', `greedy-${at}/u-${at}`), {
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_gasPrice',
        params: ['x'.repeat(300_000)],
      }),
    );
    const refused = (await Promise.race(asked)).text;
    expect(refused).toContain('all workspaces of the owner of this one');
    const params = ['x'.repeat(300_000)];
    expect((await ask(proxy.urlFor('Ethereum', 'modest/u-99'), 'eth_call', params)).result).toBe('0x7');
    resolve();
    const answered = (await Promise.all(asked)).filter(({ status }) => status === 200);
    expect(answered.length).toBeGreaterThan(2);
    expect(answered.length).toBeLessThan(10);
  });

  it('a call that waits occupies memory, however short it is', async () => {
    const { source, proxy, answers } = await startHeld();
    const calls = Array.from({ length: 450 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_gasPrice' }));
    const first = post(proxy.urlFor('Ethereum'), calls);
    while (answers.length < 1) await new Promise(setImmediate);
    expect((await post(proxy.urlFor('Ethereum'), calls)).status).toBe(429);
    answers[0]?.();
    expect([(await first).status, source.calls.length]).toEqual([200, 1]);
  });

  it('an answer takes no more memory than the share of its network, and gives it back', async () => {
    const { proxy } = await start(({ params = [] }) => resultOf('x'.repeat(Number(params[0]))));
    const url = proxy.urlFor('Ethereum');
    const { error } = await ask(url, 'eth_call', [2_000_000]);
    expect(error?.message).toContain('share of the request memory');
    for (let time = 0; time < 10; time += 1) {
      expect((await ask(url, 'eth_call', [500_000])).result).toHaveLength(500_000);
    }
  });

  const batchOf = (length: number, method: string, params: unknown[]) =>
    Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method, params }));
  const batched = async (url: string, batch: unknown[]) => {
    const { text } = await post(url, batch);
    const answers = JSON.parse(text) as { id: number; result?: string; error?: { code: number } }[];
    const refused = answers.filter(({ error }) => error?.code === -32_005);
    return { bytes: text.length, answered: answers.filter(({ result }) => result), refused };
  };

  it.each([
    ['are known', '0x10', true],
    ['are on their way', 'latest', false],
  ])('a batch of calls whose answers %s takes no more memory either', async (_case, block, isKnown) => {
    const { source, proxy } = await start(() => resultOf('x'.repeat(100_000)));
    const [url, params] = [proxy.urlFor('Ethereum'), [address, block]];
    if (isKnown) await ask(url, 'eth_getCode', params);
    const { bytes, answered, refused } = await batched(url, batchOf(50, 'eth_getCode', params));
    expect(bytes).toBeLessThan(1024 * 1024);
    expect([answered.length > 5, answered.length + refused.length]).toEqual([true, 50]);
    expect(source.counts.get('eth_getCode')).toBe(1);
    // All of it was given back.
    expect((await batched(url, batchOf(5, 'eth_getCode', params))).answered).toHaveLength(5);
  });

  it('a network that is over its share does not fail the same call of another one', async () => {
    const arrived = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { proxy, source } = await start(async ({ method }) => {
      if (method === 'eth_getCode') return resultOf('x'.repeat(200_000));
      if (method === 'eth_chainId') return resultOf('0x1');
      arrived.resolve();
      await promise;
      return resultOf('x'.repeat(500_000));
    });
    const [greedy, other] = [proxy.urlFor('Ethereum', 'u-1'), proxy.urlFor('Ethereum', 'u-2')];
    await ask(greedy, 'eth_getCode', [address, '0x10']);
    const full = batched(greedy, [
      ...batchOf(1, 'eth_gasPrice', []),
      ...batchOf(4, 'eth_getCode', [address, '0x10']),
    ]);
    await arrived.promise;
    const joined = batched(other, [...batchOf(1, 'eth_gasPrice', []), ...batchOf(1, 'eth_chainId', [])]);
    while (!source.counts.has('eth_chainId')) await new Promise(setImmediate);
    resolve();
    expect((await full).refused).toHaveLength(1);
    expect((await joined).answered).toHaveLength(2);
    expect(source.counts.get('eth_gasPrice')).toBe(2);
  });
});
