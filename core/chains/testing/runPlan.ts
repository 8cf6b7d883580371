import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isBuilt, toolPath } from '../../../hack/tools/build.ts';
import { isToolName, type ToolName } from '../../../hack/tools/catalogue.ts';
import { freePort } from '../../lib/testing/freePort.ts';
import { kill } from '../../lib/testing/kill.ts';
import { type EnginePart, type EnginePlan, type Program, podAddressVariable } from '../driver.ts';
import { callRpc } from '../evm/testing/startAnvil.ts';

/** Far longer than a boot takes. */
const longestBootMs = 90_000;

/** The programs of the engines that are named otherwise. */
const programNames: Readonly<Record<string, ToolName>> = {
  prysm: 'beacon-chain',
  'prysm-validator': 'validator',
};

function toolOf(engine: string): ToolName | undefined {
  return programNames[engine] ?? (isToolName(engine) ? engine : undefined);
}

/** Why the named engines cannot run here; undefined if they can. */
export function skipReasonOf(...engines: string[]): string | undefined {
  const missing = engines.filter((name) => {
    const tool = toolOf(name);
    return !tool || !isBuilt(tool);
  });
  return missing.length === 0 ? undefined : `skipped: run \`make engines ENGINES="${missing.join(' ')}"\``;
}

export interface RunningPlan {
  url: string;
  wsUrl: string;
  chainId: string;
  /** Milliseconds from the start of its processes until it was ready. */
  bootMs: number;
  /** Resident memory of its processes in KiB. */
  memory(): number;
  /** Kills its processes without warning, and starts them again on the same data. */
  crash(): Promise<RunningPlan>;
  stop(): Promise<void>;
}

/** Runs a network's plan as its pods would, in a temporary folder and on free local ports. */
export async function runPlan(plan: EnginePlan, chainId: string): Promise<RunningPlan> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-plan-'));
  const ports = new Map<number, number>();
  for (const part of plan.parts) {
    for (const port of Object.values(part.ports)) ports.set(port, await freePort());
  }
  return run(plan, { chainId, folder, ports });
}

interface Place {
  chainId: string;
  folder: string;
  ports: ReadonlyMap<number, number>;
}

async function run(plan: EnginePlan, place: Place): Promise<RunningPlan> {
  const started = Date.now();
  const children = plan.parts.map((part) => startPart(plan, part, place));
  const killAll = () => Promise.all(children.map(kill));
  const stop = async () => {
    await killAll();
    rmSync(place.folder, { recursive: true, force: true });
  };
  const crash = async () => {
    await killAll();
    return run(plan, place);
  };
  const urlOf = (service: string, scheme: string) => {
    const { part, port } = plan.services[service] ?? plan.services.rpc ?? { part: '', port: '' };
    const number = plan.parts.find(({ name }) => name === part)?.ports[port] ?? 0;
    return `${scheme}://127.0.0.1:${place.ports.get(number)}`;
  };
  const url = urlOf('rpc', 'http');
  try {
    await untilReady(plan, url, children);
  } catch (error) {
    await stop();
    throw error;
  }
  const bootMs = Date.now() - started;
  const memory = () => children.reduce((sum, { pid = 0 }) => sum + memoryOf(pid), 0);
  return { url, wsUrl: urlOf('ws', 'ws'), chainId: place.chainId, bootMs, memory, crash, stop };
}

function startPart(plan: EnginePlan, part: EnginePart, place: Place): ChildProcess {
  const root = join(place.folder, part.name);
  mkdirSync(join(root, 'data'), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(part.files)) write(path, text);
  const init = part.init ?? [];
  for (const { secretFiles = {} } of [part, ...init]) {
    for (const [path, secret] of Object.entries(secretFiles)) write(path, plan.secrets?.[secret] ?? '');
  }
  for (const step of init) {
    execFileSync(programOf(step), argsOf(step, root, place), { stdio: 'pipe' });
  }
  return spawn(programOf(part), argsOf(part, root, place), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', HOME: root },
  });
}

function programOf({ engine }: Program): string {
  const tool = toolOf(engine);
  if (!tool) throw new Error(`${engine} is not built here`);
  return toolPath(tool);
}

/** The arguments with local ports, hosts and paths. */
function argsOf({ args }: Program, root: string, { ports }: Place): string[] {
  return args.map((arg) => {
    const local = arg
      .replaceAll(/0\.0\.0\.0|net-[a-z]+(-\d+)?-0123456789/g, '127.0.0.1')
      .replace(`$(${podAddressVariable})`, '127.0.0.1');
    const moved = local.replace(/\b\d{4,5}$/, (port) => String(ports.get(Number(port)) ?? port));
    return moved.replace(
      /^(.*=)?(\/(?:data|work|etc\/slipway).*)$/,
      (_all, flag = '', path) => flag + join(root, path),
    );
  });
}

async function untilReady({ readinessCall }: EnginePlan, url: string, children: readonly ChildProcess[]) {
  let output = '';
  for (const child of children) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-8000);
      });
    }
  }
  for (const until = Date.now() + longestBootMs; ; ) {
    if (Date.now() > until) throw new Error(`not ready: ${output}`);
    if (children.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)) {
      throw new Error(`a process has ended: ${output}`);
    }
    const asked = callRpc(url, readinessCall?.method ?? '', ...(readinessCall?.params ?? []));
    const [answer] = await Promise.allSettled([asked]);
    if (answer.status === 'fulfilled' && readinessCall?.isAnswer(answer.value)) return;
    await setTimeout(50);
  }
}

function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
