import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';
import { ensureTools } from '../tools/ensure.ts';

/** Builds kubectl and helm if they are missing and links them into `.slipway/bin` for the user. */
export async function linkTools(): Promise<{ helm: string; kubectl: string }> {
  const tools = await ensureTools(['kubectl', 'helm']);
  const folder = join(projectRoot, '.slipway', 'bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, target] of Object.entries(tools)) {
    const link = join(folder, name);
    rmSync(link, { force: true });
    symlinkSync(target, link);
  }
  return tools;
}
