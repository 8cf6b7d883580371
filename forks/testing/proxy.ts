import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Agent } from 'undici';
import { createBudgetMetrics } from '../../apiserver/http/limits/budgetMetrics.ts';
import { createMemoryBudget } from '../../apiserver/http/limits/memoryBudget.ts';
import { forkPathOf } from '../../core/accounts/forkTokens.ts';
import type { ShareOf } from '../../core/accounts/shares/shares.ts';
import { aKeyring } from '../../core/accounts/testing/keyrings.ts';
import type { ForkSources, OwnSources } from '../../core/api/installation.ts';
import type { ChainType } from '../../core/api/resources/chainSpecs.ts';
import { type Clock, systemClock } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { type Log, silentLog } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import type { Resolve } from '../../core/outbound/guardedAgent.ts';
import { createForkedChains } from '../chains.ts';
import { createForkListener } from '../listener.ts';
import { forkMetricTables } from '../metrics.ts';
import { createOwnSourceAgent } from '../ownSourceAgent.ts';

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Serves on a free local port. */
export async function serve(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface RunningProxy extends Listening {
  /** The URL that the operator gives to the engine of a network; `workspace/uid` names its workspace, too. */
  urlFor(type: ChainType, network?: string, ownUrl?: string): string;
  scrape(): Promise<string>;
}

interface ProxyOptions {
  concurrent?: number;
  ownSources?: Partial<OwnSources>;
  /** How the hosts of workspaces' sources are resolved. */
  resolve?: Resolve;
  /** Whose share the forks of a workspace take. By default that of the workspace. */
  shareOf?: ShareOf;
  log?: Log;
  clock?: Clock;
}

/** The fork proxy as its process runs it. Without a clock, it does not wait before it asks a source again. */
export async function startProxy(sources: ForkSources, options: ProxyOptions = {}): Promise<RunningProxy> {
  const { concurrent = 32, clock = { ...systemClock, sleep: async () => undefined } } = options;
  const { shareOf = (workspace) => workspace } = options;
  const keys = aKeyring('fork key');
  const metrics = createMetrics(forkMetricTables);
  const budgets = createBudgetMetrics(metrics);
  const agent = new Agent();
  const ownSources = { allowedHosts: [], allowPrivateAddresses: false, ...options.ownSources };
  const guardedAgent = createOwnSourceAgent(ownSources, options.resolve);
  const forks = { concurrent, cacheMiB: 16, ownSources };
  const listener = createForkListener({
    keys,
    clock: systemClock,
    log: options.log ?? silentLog,
    shareOf,
    chains: createForkedChains({ sources, forks, agent, guardedAgent, clock, metrics, budgets }),
    memory: createMemoryBudget({ maxBytes: 4 * 1024 * 1024, metrics: budgets, shareOf }),
  });
  const listening = await serve(listener);
  return {
    ...listening,
    urlFor(type, network = 'u-1', ownUrl) {
      const [networkUid = '', workspace = `ws-of-${networkUid}`] = network.split('/').reverse();
      return `${listening.url}${forkPathOf(keys, { type, networkUid, workspace, ...compact({ ownUrl }) })}`;
    },
    scrape: async () => (await metrics.scrape()).text,
    async close() {
      await listening.close();
      await Promise.all([agent.destroy(), guardedAgent.destroy()]);
    },
  };
}

/** The path of a source in tests, with a key in it as providers have them. */
export const keyedPath = '/v2/THE-KEY-OF-THE-PROVIDER';

export interface CountingSource extends Listening {
  /** How often it was asked, by method. */
  counts: Map<string, number>;
  /** The calls that it was asked, in order. */
  calls: { method: string; text: string }[];
}

/** What a source answers: text, with a status and headers. */
interface Reply {
  status?: number;
  headers?: Record<string, string>;
  text: string;
}

/** A source that counts its calls. Without its key it answers 401; `url` has the key. */
export async function startSource(
  answer: (call: { method: string; params?: unknown[]; text: string }) => Promise<Reply> | Reply,
): Promise<CountingSource> {
  const counts = new Map<string, number>();
  const calls: CountingSource['calls'] = [];
  const { url, close } = await serve(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (request.url !== keyedPath) return void response.writeHead(401).end(`no: ${request.url}`);
    const call = JSON.parse(text) as { method: string; params?: unknown[] };
    counts.set(call.method, (counts.get(call.method) ?? 0) + 1);
    calls.push({ method: call.method, text });
    const { status = 200, headers = {}, text: answered } = await answer({ ...call, text });
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(answered);
  });
  return { counts, calls, close, url: `${url}${keyedPath}` };
}

/** A source that answers what the node at `url` does, but later. */
export function startRelay(url: string, delayMs = 0): Promise<CountingSource> {
  return startSource(async ({ text }) => {
    if (delayMs > 0) await setTimeout(delayMs);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: text });
    return { text: await answer.text() };
  });
}
