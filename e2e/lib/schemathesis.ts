import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '../../hack/lib/lock.ts';
import { cachePath } from '../../hack/lib/paths.ts';
import { type RunResult, run, tryRun } from '../../hack/lib/run.ts';

const requirements = join(import.meta.dirname, '..', 'schemathesis', 'requirements.txt');
const installLimitMs = 240_000;

/**
 * Returns the path of schemathesis, installed from the pinned packages into the cache folder; downloads it from PyPI the
 * first time. Throws UserError with what is missing: Python, its venv module or access to PyPI.
 */
export async function ensureSchemathesis(): Promise<string> {
  const pins = readFileSync(requirements);
  const folder = cachePath('schemathesis', createHash('sha256').update(pins).digest('hex').slice(0, 12));
  const completeMarker = join(folder, 'whole');
  await withLock({ path: `${folder}.lock`, purpose: 'installing schemathesis' }, async () => {
    if (existsSync(completeMarker)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    await run('python3', ['-m', 'venv', folder], {
      remedy:
        'install Python 3.10 or newer with its venv module (on Debian or Ubuntu: apt-get install python3-venv)',
    });
    await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--requirement', requirements], {
      timeoutMs: installLimitMs,
      remedy: 'check that this machine can reach PyPI, or set PIP_INDEX_URL to a mirror',
    });
    writeFileSync(completeMarker, '');
  });
  return join(folder, 'bin', 'schemathesis');
}

export interface Walk {
  url: string;
  token: string;
  /** Operation ids to skip, or the only ones to test. */
  exclude?: string[];
  include?: string[];
  limitMs: number;
}

/** Tests every operation in the service's /openapi.json with generated requests, which are the same in each run. */
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
    // Findings of an earlier run must not affect this one.
    ...['--generation-database', 'none'],
    ...exclude.flatMap((id) => ['--exclude-operation-id', id]),
    ...include.flatMap((id) => ['--include-operation-id', id]),
  ];
  return tryRun(program, args, { timeoutMs: limitMs });
}
