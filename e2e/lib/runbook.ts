import { delimiter, join } from 'node:path';
import { projectRoot } from '../../hack/lib/paths.ts';
import { runbookCommands } from '../../hack/lib/runbook.ts';
import { runProgram } from './cluster.ts';

/** Runs the commands under a heading of docs/keys.md; throws with what they say when one of them fails. */
export async function runRunbook(heading: string, variables: Record<string, string> = {}): Promise<void> {
  const path = [join(projectRoot, '.slipway', 'bin'), process.env.PATH].join(delimiter);
  const settings = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const script = [`cd '${projectRoot}'`, `export PATH='${path}'`, ...settings, runbookCommands(heading)];
  const { code, stderr } = await runProgram('bash', ['-euo', 'pipefail', '-c', script.join('\n')]);
  if (code !== 0 || stderr !== '') throw new Error(`"${heading}" ended with ${code}: ${stderr}`);
}
