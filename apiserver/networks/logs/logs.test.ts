import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createShares } from '../../../core/accounts/shares/shares.ts';
import { labels } from '../../../core/api/names.ts';
import type { NetworkStatus } from '../../../core/api/resources/networkStatus.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import { batchLine, probeLine } from '../../../core/chains/evm/ownCalls.ts';
import { maxConnections } from '../../../core/kube/client/connection.ts';
import type { OpenPodLog, PodLogOptions } from '../../../core/kube/kube.ts';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { type Pod, podType } from '../../../core/kube/types.ts';
import { AppError } from '../../../core/lib/errors.ts';
import { createManualClock } from '../../../core/lib/manualClock.ts';
import { cpuTimeMs } from '../../../core/lib/testing/cpuTime.ts';
import { watchEventLoop } from '../../../core/lib/testing/eventLoop.ts';
import { maxLineLength } from '../../../core/lib/text/lines.ts';
import { createAccessWatch, type HasAccess } from '../../events/accessWatch.ts';
import type { Principal } from '../../http/auth/principal.ts';
import { noBudgetMetrics } from '../../http/limits/budgetMetrics.ts';
import { credentialsOf, startTestApi, type TestApi, type TestUser } from '../../testing/harness.ts';
import { createLogStreams, type LogStreams } from './logStreams.ts';

const namespace = 'ws-one';
const common = { workspaceId: 'one', namespace };
const users: TestUser[] = [
  { userId: 'ann', ...common },
  { userId: 'dan', role: 'developer', ...common },
  { userId: 'vic', role: 'viewer', ...common },
  { userId: 'eve', workspaceId: 'two', namespace: 'ws-two' },
];

interface Opened extends PodLogOptions {
  pod: string;
}
let opened: Opened[];
/** What the pods write; by default one line. */
let openPodLog: OpenPodLog;
let kube: FakeKube;
let api: TestApi;
beforeEach(async () => {
  opened = [];
  openPodLog = async () =>
    (async function* () {
      yield 'a line\n';
    })();
  kube = createFakeKube();
  const open: OpenPodLog = (ref, options) => {
    opened.push({ pod: ref.name, ...options });
    return openPodLog(ref, options);
  };
  api = await startTestApi({ kube, users, openPodLog: open });
});
afterEach(() => api.close());

function seed(parts: string[], status: NetworkStatus = { state: 'Operational' }): string {
  const { uid } = kube.seed(networkType, aNetwork({ name: 'a', namespace, status })).metadata;
  for (const part of parts) kube.seed(podType, podOf(uid, part));
  return uid;
}

function podOf(uid: string, part: string, more: object = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `a-${part}-1`,
      namespace,
      labels: { [labels.network]: uid, [labels.part]: part },
      ownerReferences: [{ apiVersion: 'slipway.dev/v1alpha1', kind: 'Network', name: 'a', uid }],
      ...more,
    },
    spec: { containers: [{ name: part, image: 'x' }], nodeName: 'n' },
  };
}

const path = (uid: string, query = '') => `/v1alpha/networks/${uid}/logs${query}`;
const read = (uid: string, query = '', as = 'ann') => api.request(path(uid, query), { as });

/** Follows the log; resolves with the head of the answer. */
async function follow(uid: string, as = 'ann'): Promise<{ answer: IncomingMessage; leave(): void }> {
  const request = get(`${api.url}${path(uid, '?follow=true')}`, { agent: false, headers: credentialsOf(as) });
  request.on('error', () => undefined);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { answer, leave: () => request.destroy() };
}

/** A process that writes nothing until the log is closed. */
const silent: OpenPodLog = async (_ref, { signal }) =>
  (async function* () {
    if (!signal.aborted) await once(signal, 'abort');
    yield* [];
  })();

describe('reading logs', () => {
  it('answers with plain text: the last 1000 lines of the only part, and no more than 8 MiB', async () => {
    const { status, headers, text: body } = await read(seed(['rpc']));
    expect([status, headers.get('content-type'), body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'a line\n',
    ]);
    expect(opened).toMatchObject([
      { pod: 'a-rpc-1', container: 'rpc', isFollowed: false, tailLines: 1000, limitBytes: 8 * 1024 * 1024 },
    ]);
  });

  it('takes the part and the number of lines', async () => {
    await read(seed(['el-1', 'cl-1']), '?service=cl-1&tail=5');
    expect(opened).toMatchObject([{ pod: 'a-cl-1-1', tailLines: 5 }]);
  });

  it('takes the newest pod of a part, and none of another owner', async () => {
    const uid = seed([]);
    kube.seed(podType, podOf(uid, 'rpc', { name: 'old', creationTimestamp: '2030-01-01T00:00:00Z' }));
    kube.seed(podType, podOf(uid, 'rpc', { name: 'new', creationTimestamp: '2030-01-02T00:00:00Z' }));
    const foreign = { name: 'foreign', creationTimestamp: '2030-01-03T00:00:00Z', ownerReferences: [] };
    kube.seed(podType, podOf(uid, 'rpc', foreign));
    await read(uid);
    expect(opened.map(({ pod }) => pod)).toEqual(['new']);
  });

  it('neither wakes the network nor counts as activity', async () => {
    const uid = seed([], { state: 'Stopped' });
    const { status, json } = await read(uid);
    expect([status, json.message]).toEqual([409, expect.stringContaining('wake it first')]);
    const network = await kube.get(networkType, { namespace, name: 'a' });
    expect([network?.metadata.annotations, network?.status?.lastActivityAt]).toEqual([undefined, undefined]);
  });

  it.each([
    ['several parts and none named', 400, ['el-1', 'cl-1'], '', 'name one of cl-1, el-1'],
    ['an unknown part', 400, ['rpc'], '?service=el-9', 'no part "el-9": name one of rpc'],
    ['too many lines', 400, ['rpc'], '?tail=10001', 'tail'],
    ['no pod yet', 409, [], '', 'has no pod yet'],
  ])('%s is %i', async (_what, code, parts, query, message) => {
    const { status, json } = await read(seed(parts), query);
    expect([status, json.message]).toEqual([code, expect.stringContaining(message)]);
  });

  it('of a process that has not started is 409', async () => {
    openPodLog = () => Promise.reject(new AppError('BadRequest', 'container "rpc" is waiting to start'));
    expect((await read(seed(['rpc']))).json).toMatchObject({
      reason: 'Conflict',
      message: expect.stringContaining('has not started'),
    });
  });

  it.each([
    ['a developer', 'dan', 200],
    ['a viewer', 'vic', 403],
    ['another workspace', 'eve', 404],
  ])('%s gets %s: %i', async (_who, as, code) => {
    expect((await read(seed(['rpc']), '', as)).status).toBe(code);
  });
});

describe('following logs', () => {
  it('sends the head before the first line, and each line as it comes', async () => {
    const lines = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    openPodLog = async () =>
      (async function* () {
        for (const { promise } of lines) yield promise;
      })();
    const { answer } = await follow(seed(['rpc']));
    expect(answer.statusCode).toBe(200);
    lines[0].resolve('first\n');
    const [chunk] = await once(answer, 'data');
    expect(String(chunk)).toBe('first\n');
    lines[1].resolve('second\n');
    expect(await text(answer)).toBe('second\n');
    expect(opened).toMatchObject([{ isFollowed: true }]);
    expect(opened[0]).not.toHaveProperty('limitBytes');
  });

  it('closes the log when the client is gone, although the process writes nothing', async () => {
    openPodLog = silent;
    const { leave } = await follow(seed(['rpc']));
    const { signal } = opened[0] as Opened;
    const closed = once(signal, 'abort');
    leave();
    await closed;
  });

  it('ends without an error when the log breaks', async () => {
    openPodLog = async () =>
      (async function* () {
        yield 'first\n';
        throw new Error('cut');
      })();
    const { answer } = await follow(seed(['rpc']));
    expect(await text(answer)).toBe('first\n');
  });

  it('is limited for each account and each network, and a place is free again when a log is closed', async () => {
    openPodLog = silent;
    const uid = seed(['rpc']);
    const mine = [await follow(uid), await follow(uid), await follow(uid), await follow(uid)];
    const refused = await read(uid);
    expect([refused.status, refused.json.message]).toEqual([
      429,
      expect.stringContaining('the account has 4 logs open'),
    ]);
    const closed = once((opened[0] as Opened).signal, 'abort');
    mine[0]?.leave();
    await closed;
    openPodLog = async () =>
      (async function* () {
        yield 'free\n';
      })();
    expect((await read(uid)).status).toBe(200);
    for (const { leave } of mine) leave();
  });
});

describe('the places for logs', () => {
  const clock = createManualClock();
  const open = (streams: LogStreams, userId: string, network = 'n', place = 'w') => {
    const permissions: Principal['permissions'] = new Set();
    const who = { userId, workspaceId: place, namespace: place, role: 'viewer' } as const;
    return streams.open({ principal: { ...who, permissions }, network });
  };
  const create = (hasAccess: HasAccess = async () => true) =>
    createLogStreams({
      budgets: noBudgetMetrics,
      shares: createShares(),
      access: createAccessWatch({ hasAccess, clock }),
      clock,
    });

  it('end after 15 minutes, and when the process stops', () => {
    const streams = create();
    const [first, second] = [open(streams, 'a'), open(streams, 'b')];
    clock.advance(899_999);
    expect(first.signal.aborted).toBe(false);
    clock.advance(1);
    expect(first.signal.aborted).toBe(true);
    const third = open(streams, 'c');
    streams.close();
    expect([third.signal.aborted, open(streams, 'd').signal.aborted]).toEqual([true, true]);
    second.end();
  });

  it('end within a second for who has lost access, and for nobody else', async () => {
    const lost = new Set(['a']);
    const streams = create(async ({ userId }) => !lost.has(userId));
    const [removed, member] = [open(streams, 'a'), open(streams, 'b')];
    const ended = once(removed.signal, 'abort');
    clock.advance(1000);
    await ended;
    expect(member.signal.aborted).toBe(false);
    member.end();
  });

  it('are eight for a network', () => {
    const streams = create();
    for (let at = 0; at < 8; at++) open(streams, `a${at}`);
    expect(() => open(streams, 'b')).toThrow('the network has 8 logs open');
    open(streams, 'b', 'other').end();
  });

  it('are sixteen for a workspace, and those of all leave half of the connections to kube-apiserver', () => {
    const streams = create();
    const fill = (workspace: string) => {
      for (let at = 0; at < 16; at++) open(streams, `${workspace}${at}`, `${workspace}${at}`, workspace);
    };
    fill('first');
    expect(() => open(streams, 'b', 'other', 'first')).toThrow('the workspace has 16 logs open');
    for (const workspace of ['second', 'third', 'fourth']) fill(workspace);
    expect(maxConnections).toBe(128);
    expect(() => open(streams, 'b', 'other', 'fifth')).toThrow('this replica has 64 logs open');
  });
});

describe('the lines of liveness checks', () => {
  /** A log as kube-apiserver returns it. */
  const logOf =
    (lines: string[]): OpenPodLog =>
    async (_ref, { tailLines }) =>
      (async function* () {
        const text = lines.slice(-tailLines).join('\n');
        yield text.slice(0, 20);
        yield `${text.slice(20)}\n`;
      })();
  const probes = (count: number) => Array.from({ length: count }, () => probeLine);
  const pods = (uid: string) => {
    const pod = podOf(uid, 'rpc');
    const [engine] = pod.spec.containers;
    const livenessProbe = { exec: { command: ['alive'] } };
    return { ...pod, spec: { ...pod.spec, containers: [{ name: 'rpc', ...engine, livenessProbe }] } };
  };
  const probed = () => {
    const uid = seed([]);
    kube.seed(podType, pods(uid));
    return uid;
  };

  it.each([
    ['', 'one\neth_chainId\ntwo\n'],
    ['?tail=2', 'eth_chainId\ntwo\n'],
    ['?tail=1', 'two\n'],
  ])('are not shown, and do not count as lines: %s', async (query, expected) => {
    openPodLog = logOf(['one', ...probes(3000), 'eth_chainId', ...probes(2), 'two', ...probes(50_000)]);
    expect((await read(probed(), query)).text).toBe(expected);
  });

  it('are also those of a batch of reads, but not what engines write meanwhile, and what users call afterwards', async () => {
    const reads = [batchLine, batchLine, 'eth_getBlockByNumber', probeLine, 'trace_block', batchLine];
    const interrupted = [batchLine, batchLine, 'two', 'trace_block', batchLine];
    openPodLog = logOf(['one', ...reads, 'eth_getBlockByNumber', ...interrupted]);
    expect((await read(probed(), '?tail=3')).text).toBe('one\neth_getBlockByNumber\ntwo\n');
    expect((await read(probed(), '?tail=1')).text).toBe('two\n');
  });

  it('hide nothing of a user who makes the call that marks a batch', async () => {
    openPodLog = logOf(['one', batchLine, 'trace_block', probeLine, 'two']);
    expect((await read(probed())).text).toBe('one\ntrace_block\ntwo\n');
  });

  it('are not shown to who follows the log', async () => {
    openPodLog = async (_ref, { isFollowed }) =>
      (async function* () {
        yield `old\n${probeLine}\n`;
        if (isFollowed) yield `${probeLine.slice(0, 5)}`;
        if (isFollowed) yield `${probeLine.slice(5)}\nnew\n${probeLine}`;
      })();
    const { answer } = await follow(probed());
    expect(await text(answer)).toBe('old\nnew\n');
    expect(opened.map(({ isFollowed }) => isFollowed)).toEqual([false, true]);
  });

  it('are only those of the check: a line that contains the name is shown', async () => {
    openPodLog = logOf([`${probeLine} failed`, probeLine]);
    expect((await read(probed())).text).toBe(`${probeLine} failed\n`);
  });

  it('of an engine without such a check are its own: its log is read once', async () => {
    await read(seed(['rpc']), '?tail=5');
    expect(opened.map(({ tailLines }) => tailLines)).toEqual([5]);
  });
});

it('shows neither access keys nor tokens of forks, however the log arrives', async () => {
  const token = 'abcdefghijklmnopqrstuvwx';
  openPodLog = async () =>
    (async function* () {
      yield `fork of http://slipway-forks/forks/Base/ws/u-1/${token.slice(0, 9)}`;
      yield `${token.slice(9)}\nPOST /rpc/u-1/${token}/rpc\nand a last line`;
    })();
  const answer = await read(seed(['rpc']));
  expect(answer.text).toBe(
    'fork of http://slipway-forks/forks/Base/ws/u-1/(redacted)\nPOST /rpc/u-1/(redacted)/rpc\nand a last line',
  );
});

describe('a long line', () => {
  /** A log in pieces, as kube-apiserver sends it. */
  const inPieces =
    (text: string, length = 1000): OpenPodLog =>
    async () =>
      (async function* () {
        for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
      })();

  it('is cut, which it says itself, and the lines after it are whole', async () => {
    openPodLog = inPieces(`one\n${'x'.repeat(40_000)}\nthree\n`);
    const [one, long, three] = (await read(seed(['rpc']))).text.split('\n');
    expect([one, three]).toEqual(['one', 'three']);
    expect(long).toBe(`${'x'.repeat(maxLineLength - 1)}… (${40_000 - maxLineLength + 1} more characters)`);
  });

  it('shows nothing of a secret in which it is cut', async () => {
    const begin = 'POST /rpc/u-1/';
    const key = 'abcdefghijklmnopqrstuvwx';
    const uid = seed(['rpc']);
    for (const shown of [1, 12, 23, 24]) {
      const before = 'x'.repeat(maxLineLength - 1 - begin.length - shown);
      openPodLog = inPieces(`${before}${begin}${key}/rpc ${'y'.repeat(1000)}\n`);
      const text = (await read(uid)).text.slice(before.length);
      expect(text).toMatch(/^POST \/rpc\/u-1\/\(redacted\)… \(\d+ more characters\)\n$/);
    }
  });

  it.each([
    ['that nothing searches', 'x'],
    ['that looks like a URL', '://a.a.'],
  ])('of 8 MiB %s does not keep others waiting', async (_what, part) => {
    openPodLog = inPieces(`${part.repeat(Math.ceil((8 * 1024 * 1024) / part.length))}\n`, 4096);
    const uid = seed(['rpc']);
    const watch = watchEventLoop();
    expect((await read(uid)).text.length).toBeLessThan(20_000);
    expect(watch.longestMs()).toBeLessThan(500);
  });

  it('does not keep the last lines from being counted without those of liveness checks', async () => {
    const uid = seed([]);
    const pod = podOf(uid, 'rpc');
    const livenessProbe = { exec: { command: ['alive'] } };
    kube.seed(podType, {
      ...pod,
      spec: { ...pod.spec, containers: [{ name: 'rpc', image: 'x', livenessProbe }] },
    });
    openPodLog = inPieces(`${'x'.repeat(1_000_000)}\n${probeLine}\nlast\n`, 16);
    const startMs = cpuTimeMs();
    expect((await read(uid, '?tail=2')).text).toMatch(/^x+… \(\d+ more characters\)\nlast\n$/);
    expect(cpuTimeMs() - startMs).toBeLessThan(5_000);
  });
});
