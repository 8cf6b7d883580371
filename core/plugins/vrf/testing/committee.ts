import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBuilt, toolPath } from '../../../../hack/tools/build.ts';

/** Why a committee cannot run here; undefined when it can. */
export const noCommittee =
  isBuilt('drand') && isBuilt('drand-node') ? undefined : 'drand is not built: make engines ENGINES=drand';

export interface TestCommittee {
  /** The HTTP of the nodes. */
  urls: string[];
  kill(node: number): Promise<void>;
  start(node: number): void;
  /** Like the loss of a pod without a volume. */
  forget(node: number): void;
  stop(): Promise<void>;
}

/** Five ports of a node lie in a row, at the same distance from each other at all nodes. */
const portsFrom = (first: number) => [0, 1, 2, 3, 4].map((offset) => first + offset);

/** Four nodes of a committee, as their pods run them. */
export async function startCommittee(): Promise<TestCommittee> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-committee-'));
  writeFileSync(join(folder, 'token'), 'a token of tests');
  const firsts = await Promise.all([0, 1, 2, 3].map(freePorts));
  const peers = firsts.map((port) => `127.0.0.1:${port}`);
  const running = new Map<number, ChildProcess>();
  const dataOf = (node: number) => join(folder, `node-${node}`);
  const start = (node: number) => {
    mkdirSync(dataOf(node), { recursive: true });
    const own = peers[node] ?? '';
    const ports = portsFrom(firsts[node] ?? 0).join(',');
    const args = ['-own', own, '-peers', peers.join(','), '-data', dataOf(node), '-ports', ports];
    const programs = ['-token-file', join(folder, 'token'), '-drand', toolPath('drand')];
    running.set(
      node,
      spawn(toolPath('drand-node'), [...args, ...programs], { stdio: 'ignore', detached: true }),
    );
  };
  const kill = async (node: number) => {
    const child = running.get(node);
    running.delete(node);
    if (!child?.pid || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  for (const node of peers.keys()) start(node);
  return {
    urls: firsts.map((port) => `http://127.0.0.1:${port + 1}`),
    start,
    kill,
    forget: (node) => rmSync(dataOf(node), { recursive: true, force: true }),
    async stop() {
      for (const node of peers.keys()) await kill(node);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The first of five free ports: a block of its own for each process and node. */
async function freePorts(node: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer().once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    server.close(() => resolve(20_000 + ((port + node * 500) % 10_000)));
  });
  return promise;
}

/** The body of `GET /info` once the committee has a key, other than `former`. */
export async function infoOf(url: string, former?: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}/info`).catch(() => undefined);
    const body = answer?.ok ? await answer.text() : undefined;
    if (body !== undefined && body !== former) return body;
    await sleep(200);
  }
}

export async function latestRound(url: string): Promise<number> {
  const answer = await fetch(`${url}/public/latest`);
  return Number(((await answer.json()) as { round: number }).round);
}
