import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { projectRoot } from '../lib/paths.ts';
import { budgetsExceeded, type Manifest, readSizes } from './budgets.ts';
import { compress } from './compress.ts';

/** Builds the console into a folder, each file also compressed. Throws when it is larger than its budgets. */
export async function buildConsole(outDir: string): Promise<void> {
  await build({
    root: join(projectRoot, 'console'),
    configFile: false,
    // Libraries have directives for servers, of which vite warns one by one.
    logLevel: 'error',
    // The page has a strict policy: nothing is inlined, and browsers that run the console can preload.
    build: {
      outDir,
      emptyOutDir: true,
      assetsDir: 'assets',
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: { polyfill: false },
      manifest: 'manifest.json',
      license: { fileName: 'licences.md' },
    },
  });
  const files = readdirSync(join(outDir, 'assets')).map((name) => join('assets', name));
  for (const file of ['index.html', ...files]) compress(join(outDir, file));
  const manifest: Manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'));
  const exceeded = budgetsExceeded(manifest, readSizes(outDir));
  if (exceeded.length > 0) throw new Error(exceeded.join('\n'));
}
