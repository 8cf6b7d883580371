import { delimiter, join } from 'node:path';
import { projectRoot } from '../../hack/lib/paths.ts';
import { runbookCommands } from '../../hack/lib/runbook.ts';
import { runProgram } from './cluster.ts';

/** Runs the commands under a heading of docs/keys.md; throws with what they say when one of them fails. */
export async function runRunbook(heading: string, variables: Record<string, string> = {}): Promise<void> {
  const path = [join(projectRoot, '.slipway', 'bin'), process.env.PATH].join(delimiter);
  const settings = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const script = [`cd '${projectRoot}'`, `export PATH='${path}'`, ...settings, runbookCommands(heading)];
  // With a socket as its input, bash takes itself for a remote shell and reads the machine's bashrc.
  const { code, stderr } = await runProgram('bash', ['--norc', '-euo', 'pipefail', '-c', script.join('\n')]);
  const said = stderr.split('\n').filter((line) => line !== '' && !isOfWatch(line));
  if (code !== 0 || said.length > 0) throw new Error(`"${heading}" ended with ${code}: ${stderr}`);
}

/** kubectl says so when it opens a watch again that was interrupted. */
const isOfWatch = (line: string): boolean =>
  line.includes('reflector.go') && line.includes('watch ended with error');
