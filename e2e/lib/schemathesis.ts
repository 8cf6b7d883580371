import { join } from 'node:path';
import { type RunResult, tryRun } from '../../hack/lib/run.ts';
import { ensurePythonPackages } from './packages.ts';

const folder = join(import.meta.dirname, '..', 'schemathesis');
const requirements = join(folder, 'requirements.txt');

/** Returns the path of schemathesis, in the pinned version. Throws like `ensurePythonPackages`. */
export async function ensureSchemathesis(): Promise<string> {
  return join(await ensurePythonPackages('schemathesis', requirements), 'bin', 'schemathesis');
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
    ...['--config-file', join(folder, 'schemathesis.toml')],
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
