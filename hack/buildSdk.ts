import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from './lib/paths.ts';
import { runProgram } from './lib/program.ts';
import { run } from './lib/run.ts';

const folder = join(projectRoot, 'sdk');
const output = join(folder, 'dist');

/** Makes `sdk/dist`: the client, the fixture, the command, their declarations, and the license. `npm pack` in sdk/ publishes that. */
async function buildSdk(): Promise<void> {
  await rm(output, { recursive: true, force: true });
  await build({
    absWorkingDir: folder,
    entryPoints: {
      slipway: 'src/entry.ts',
      fixture: 'src/fixture/entry.ts',
      'with-network': 'bin/withNetwork.ts',
    },
    outdir: output,
    bundle: true,
    // What the entries share is one file, so that an error has one class.
    splitting: true,
    platform: 'neutral',
    external: ['node:*'],
    target: 'es2022',
    format: 'esm',
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: 'linked',
    legalComments: 'none',
    logLevel: 'warning',
  });
  await run(process.execPath, [
    join(projectRoot, 'node_modules/typescript/bin/tsc'),
    '--project',
    join(folder, 'tsconfig.json'),
  ]);
  await nameJavaScript(join(output, 'types'));
  await cp(join(projectRoot, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Declarations import `./file.ts`, which only we have: in the package it is `./file.js`. */
async function nameJavaScript(types: string): Promise<void> {
  const files = await readdir(types, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
    const path = join(types, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/(["']\.[^"']*)\.ts(["'])/g, '$1.js$2'));
  }
}

runProgram(buildSdk);
