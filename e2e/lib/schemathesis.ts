import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '../../hack/lib/lock.ts';
import { cachePath } from '../../hack/lib/paths.ts';
import { type RunResult, run, tryRun } from '../../hack/lib/run.ts';

const requirements = join(import.meta.dirname, '..', 'schemathesis', 'requirements.txt');
const installLimitMs = 240_000;

/**
 * The program, of exactly the pinned packages, in the cache folder; fetched from PyPI the first time. Throws UserError
 * naming what is missing: Python, its venv module, or PyPI.
 */
export async function ensureSchemathesis(): Promise<string> {
  const pins = readFileSync(requirements);
  const folder = cachePath('schemathesis', createHash('sha256').update(pins).digest('hex').slice(0, 12));
  const whole = join(folder, 'whole');
  await withLock({ path: `${folder}.lock`, purpose: 'fetching schemathesis' }, async () => {
    if (existsSync(whole)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    await run('python3', ['-m', 'venv', folder], {
      remedy:
        'install Python 3.10 or newer with its venv module (Debian, Ubuntu: apt-get install python3-venv)',
    });
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--requirement', requirements], {
      timeoutMs: installLimitMs,
      remedy: 'these packages come from PyPI: let this machine reach it, or name a mirror in PIP_INDEX_URL',
    });
    writeFileSync(whole, '');
  });
  return join(folder, 'bin', 'schemathesis');
}

export interface Walk {
  url: string;
  token: string;
  /** Operations that are left out; or those that alone are walked. */
  exclude?: string[];
  include?: string[];
  limitMs: number;
}

/** Every operation of the service's own /openapi.json with made-up requests, the same ones each time. */
export async function walkOperations(program: string, walk: Walk): Promise<RunResult> {
  const { url, token, exclude = [], include = [], limitMs } = walk;
  const checks = [
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_schema_conformance',
  ];
  const args = [
    ...['run', `${url}/openapi.json`, '--url', url, '--header', `Authorization: Bearer ${token}`],
    ...['--checks', checks.join(','), '--phases', 'examples,coverage,fuzzing', '--max-examples', '3'],
    ...['--seed', '1', '--no-shrink', '--continue-on-failure', '--no-color'],
    ...['--rate-limit', '95/s', '--warnings', 'off', '--request-timeout', '20'],
    // What an earlier run has found shall not change this one.
    ...['--generation-database', 'none'],
    ...exclude.flatMap((id) => ['--exclude-operation-id', id]),
    ...include.flatMap((id) => ['--include-operation-id', id]),
  ];
  return tryRun(program, args, { timeoutMs: limitMs });
}
