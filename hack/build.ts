import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildSystemContracts } from './contracts/build.ts';
import { buildTokenContracts } from './contracts/tokens.ts';
import { projectRoot } from './lib/paths.ts';
import { UserError } from './lib/run.ts';

const outputFolder = join(projectRoot, 'dist', 'service');

/** Some dependencies are CommonJS and call `require` for Node's own modules, which ES modules do not provide. */
const banner = [
  "import { createRequire as slipwayCreateRequire } from 'node:module';",
  'const require = slipwayCreateRequire(import.meta.url);',
].join('\n');

/**
 * Bundles the processes into `dist/service`: `apiserver.js`, `admission.js`, `forks.js`, `operator.js`, the Job's `reseal.js`, the pod program
 * `vrf.js` and their source maps.
 * Adds the system contracts that new chains start with and the contracts that tokens need.
 * The output is reproducible, so an image tag can be derived from its content.
 */
async function buildService(): Promise<void> {
  await rm(outputFolder, { recursive: true, force: true });
  await mkdir(outputFolder, { recursive: true });
  await build({
    absWorkingDir: projectRoot,
    entryPoints: {
      apiserver: 'apiserver/main.ts',
      admission: 'apiserver/admission/main.ts',
      forks: 'apiserver/forks/main.ts',
      operator: 'operator/main.ts',
      reseal: 'operator/secret/main.ts',
      vrf: 'core/plugins/vrf/agent/main.ts',
      // Worker threads of both processes.
      signWorker: 'core/signing/signWorker.ts',
    },
    outdir: outputFolder,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    banner: { js: banner },
    define: { 'process.env.NODE_ENV': '"production"' },
    // Halves what Node parses at startup; names are kept so that stack traces are readable without the source map.
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: true,
    sourcemap: 'external',
    legalComments: 'none',
    logLevel: 'warning',
  });
  await cp(buildSystemContracts(), join(outputFolder, 'system-contracts.json'));
  await cp(await buildTokenContracts(), join(outputFolder, 'token-contracts'), { recursive: true });
  await writeFile(join(outputFolder, 'package.json'), '{ "type": "module", "private": true }\n');
}

try {
  await buildService();
} catch (error) {
  // esbuild has already printed each error with its location.
  const isPrinted = error instanceof Error && 'errors' in error;
  if (!isPrinted) console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
