import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build as bundle } from 'esbuild';
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
  await addBoot(outDir);
  const files = readdirSync(join(outDir, 'assets')).map((name) => join('assets', name));
  for (const file of ['index.html', ...files]) compress(join(outDir, file));
  const manifest: Manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'));
  const exceeded = budgetsExceeded(manifest, readSizes(outDir));
  if (exceeded.length > 0) throw new Error(exceeded.join('\n'));
}

/** Puts the script that loads failed files again before all others. */
async function addBoot(outDir: string): Promise<void> {
  const { outputFiles } = await bundle({
    entryPoints: [join(projectRoot, 'console/src/loading/boot.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    outdir: join(outDir, 'assets'),
    entryNames: '[name]-[hash]',
    write: false,
  });
  const [file] = outputFiles;
  if (!file) throw new Error('esbuild wrote no boot script');
  writeFileSync(file.path, file.contents);
  const page = join(outDir, 'index.html');
  const tag = `<script src="/assets/${basename(file.path)}"></script>`;
  const html = readFileSync(page, 'utf8');
  writeFileSync(page, html.replace('<script type="module"', `${tag}\n    <script type="module"`));
}
