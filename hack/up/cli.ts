import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { readProfiles, writeProfiles } from '../../cli/config/profiles.ts';
import { projectRoot } from '../lib/paths.ts';
import type { SlipwayEnvironment } from './environment.ts';

/** Name of the profile of the installation that `make up` made. */
const profileName = 'local';

/** Some code is CommonJS and calls `require` for Node's own modules, which ES modules do not provide. */
const banner = [
  '#!/usr/bin/env node',
  "import { createRequire as slipwayCreateRequire } from 'node:module';",
  'const require = slipwayCreateRequire(import.meta.url);',
].join('\n');

/** Bundles the command line into one executable file, which needs nothing but Node. Returns what is in it. */
export async function buildCli(outfile: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: ['cli/main.ts'],
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    banner: { js: banner },
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  await chmod(outfile, 0o755);
  return metafile;
}

/**
 * Puts the command line at `.slipway/bin/slipway`, and as a plugin of kubectl beside it, signed in to the installation. Profiles
 * that the user added to the file stay.
 */
export async function installCli(
  environment: SlipwayEnvironment,
  folder = join(projectRoot, '.slipway'),
): Promise<void> {
  const program = join(folder, 'lib', 'slipway.mjs');
  await buildCli(program);
  const config = join(folder, 'slipway.json');
  await launcher(join(folder, 'bin', 'slipway'), { config, program, name: 'slipway' });
  await launcher(join(folder, 'bin', 'kubectl-slipway'), { config, program, name: 'kubectl slipway' });
  const { current = profileName, profiles } = await readProfiles(config);
  profiles[profileName] = { url: environment.SLIPWAY_URL, apiKey: environment.SLIPWAY_API_KEY };
  await writeProfiles(config, { current, profiles });
}

interface Launched {
  config: string;
  program: string;
  name: string;
}

/** Runs the program with the project's Node and the profiles of this installation, unless the user names others. */
async function launcher(path: string, { config, program, name }: Launched): Promise<void> {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [
    '#!/bin/sh',
    `config=${quoted(config)}`,
    `export SLIPWAY_CONFIG="\${SLIPWAY_CONFIG:-$config}" SLIPWAY_PROGRAM=${quoted(name)}`,
    `exec ${quoted(process.execPath)} ${quoted(program)} "$@"`,
  ];
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${lines.join('\n')}\n`);
  await chmod(path, 0o755);
}
