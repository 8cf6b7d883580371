import { runProgram } from '../lib/program.ts';
import { UserError } from '../lib/run.ts';
import { isToolName, toolNames } from './catalogue.ts';
import { ensureTools } from './ensure.ts';

/** `node hack/tools/main.ts kubectl helm …`: builds missing tools and prints the path of each one. */
async function main(args: string[]): Promise<void> {
  const unknown = args.filter((name) => !isToolName(name));
  if (args.length === 0 || unknown.length > 0) {
    const problem = unknown.length > 0 ? `unknown tool: ${unknown.join(', ')}\n` : '';
    throw new UserError(`${problem}usage: node hack/tools/main.ts NAME...\ntools: ${toolNames.join(' ')}`);
  }
  const paths = await ensureTools(args.filter(isToolName));
  for (const [name, path] of Object.entries(paths)) console.log(`${name} ${path}`);
}

runProgram(() => main(process.argv.slice(2)));
