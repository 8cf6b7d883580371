import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createServeConsole } from '../apiserver/console/console.ts';
import { readConsole } from '../apiserver/console/files.ts';
import { accountsApiOver, admin } from '../apiserver/testing/accountsApi.ts';
import { networkType } from '../core/api/resources/resources.ts';
import { createFakeKube } from '../core/kube/testing/fake/fake.ts';
import { startBrowser } from '../hack/console/browser.ts';
import { buildConsole } from '../hack/console/build.ts';
import { aNetwork, aStatus } from './lib/networks.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { loadNow } from './lib/usage.ts';

/**
 * The list of the console with 2,000 networks, in Chromium: how long until its rows are there, and the longest task of
 * the page while somebody scrolls through all of it. The API server runs in this process over a cluster in memory.
 * Ratios compare with the limits. `COUNT` sets the number of networks, `ROUNDS` how often the page is opened.
 */
const count = Number(process.env.COUNT ?? 2_000);
const rounds = Number(process.env.ROUNDS ?? 5);
const limits = { rowsMs: 1_500, scrollTaskMs: 200 };
const workspaceNamespace = 'slipway-default';
const wheelStep = 1_200;

async function populate(kube: ReturnType<typeof createFakeKube>): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const network = aNetwork(workspaceNamespace, index);
    const labels = { ...network.metadata.labels, 'slipway.dev/workspace': 'default' };
    const created = await kube.create(networkType, { ...network, metadata: { ...network.metadata, labels } });
    await kube.patch(networkType, created.metadata, { status: aStatus(created, index) }, 'status');
  }
}

/** From the navigation until the list knows all networks and shows rows. */
async function openList(page: Page, url: string): Promise<number> {
  const startMs = performance.now();
  await page.goto(`${url}/networks`);
  await page.getByRole('status').getByText(`${count} networks`).waitFor();
  await page.getByRole('row').nth(1).waitFor();
  return performance.now() - startMs;
}

interface Task {
  wallMs: number;
  /** Without the time in which other processes had the processor. */
  cpuMs: number;
}

/** The longest task of the page while the list is scrolled to its end and back. */
async function scrollThrough(page: Page): Promise<Task> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await page.mouse.move(400, 400);
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  for (const direction of [1, -1]) {
    for (let at = 0; at < height; at += wheelStep) await page.mouse.wheel(0, direction * wheelStep);
  }
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return longestTask((await browser.stopTracing()).toString());
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

function longestTask(trace: string): Task {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace);
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}.${tid}`;
  const isMainThread = ({ name, args }: TraceEvent) =>
    name === 'thread_name' && args?.name === 'CrRendererMain';
  const mainThreads = new Set(traceEvents.filter(isMainThread).map(threadOf));
  const tasks = traceEvents.filter(
    (event) => /RunTask$/.test(event.name) && mainThreads.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('the trace has no tasks: this browser traces otherwise');
  const longest = (of: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((max, event) => Math.max(max, of(event) ?? 0), 0) / 1000;
  return { wallMs: round(longest(({ dur }) => dur)), cpuMs: round(longest(({ tdur }) => tdur)) };
}

const folder = mkdtempSync(join(tmpdir(), 'slipway-console-'));
await buildConsole(folder);
const files = readConsole(folder);
const kube = createFakeKube();
const { api } = await accountsApiOver(kube, {
  serveConsole: createServeConsole(files),
  publicUrl: 'http://localhost',
});
const browser = await startBrowser();
try {
  await populate(kube);
  const url = api.url.replace('127.0.0.1', 'localhost');
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  await page.getByLabel('API key').fill(admin);
  await page.keyboard.press('Enter');
  await page.getByRole('row').nth(1).waitFor();
  const opened: number[] = [];
  for (let turn = 0; turn < rounds; turn += 1) opened.push(await openList(page, url));
  const scrollTask = await scrollThrough(page);
  const rowsMs = percentile(opened, 0.5);
  const report = {
    networks: count,
    rounds,
    load: loadNow(),
    rowsMs: round(rowsMs),
    worstRowsMs: round(Math.max(...opened)),
    scrollTask,
    limits,
    rowsRatio: round(rowsMs / limits.rowsMs),
    scrollRatio: round(scrollTask.cpuMs / limits.scrollTaskMs),
  };
  console.log(JSON.stringify(report));
  writeReport('console', report);
} finally {
  await browser.close();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
}
