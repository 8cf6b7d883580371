import { UserError } from '../lib/run.ts';
import { isToolName, toolNames } from './catalogue.ts';
import { ensureTools } from './ensure.ts';

/** `node hack/tools/main.ts kubectl helm …`: builds what is missing and prints where each lies. */
async function main(args: string[]): Promise<void> {
  const unknown = args.filter((name) => !isToolName(name));
  if (args.length === 0 || unknown.length > 0) {
    const complaint = unknown.length > 0 ? `unknown: ${unknown.join(', ')}\n` : '';
    throw new UserError(`${complaint}usage: node hack/tools/main.ts NAME...\nnames: ${toolNames.join(' ')}`);
  }
  const paths = await ensureTools(args.filter(isToolName));
  for (const [name, path] of Object.entries(paths)) console.log(`${name} ${path}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
});
