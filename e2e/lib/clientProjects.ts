import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { tryRun } from '../../hack/lib/run.ts';
import { ensureNodePackages, ensurePythonPackages, ownNode } from './packages.ts';

const projects = join(import.meta.dirname, '..', 'clients');
const runLimitMs = 240_000;

/** What the projects read from the environment. */
export interface ClientEnvironment {
  RPC_URL: string;
  WS_URL: string;
  ADMIN_URL: string;
  ADMIN_WS_URL: string;
  CHAIN_ID: string;
  PRIVATE_KEY: string;
}

/** Runs a program of a project's packages in the project's folder. Throws with its output when it fails. */
export async function runNodeProject(
  project: string,
  [program = '', ...args]: string[],
  environment: ClientEnvironment | Record<string, string>,
): Promise<void> {
  const source = join(projects, project);
  const folder = await ensureNodePackages(`client-${project}`, join(source, 'package.json'));
  cpSync(source, folder, { recursive: true });
  const path = `${join(folder, 'node_modules', '.bin')}:${ownNode.PATH}`;
  const env = {
    ...environment,
    PATH: path,
    HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    NODE_OPTIONS: undefined,
  };
  await succeed(program, args, { cwd: folder, env });
}

/** Runs a project's tests with pytest. Throws with its output when it fails. */
export async function runPythonProject(project: string, environment: ClientEnvironment): Promise<void> {
  const source = join(projects, project);
  const folder = await ensurePythonPackages(`client-${project}`, join(source, 'requirements.txt'));
  const args = ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', source];
  const env = { ...environment, PYTHONDONTWRITEBYTECODE: '1' };
  await succeed(join(folder, 'bin', 'python'), args, { cwd: folder, env });
}

async function succeed(
  program: string,
  args: string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Promise<void> {
  const { code, output } = await tryRun(program, args, { ...options, timeoutMs: runLimitMs });
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} exited with ${code}:\n${output.slice(-15_000)}`);
}
