import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { features as registered } from '../features/registry/images.ts';
import { buildConsole } from './console/build.ts';
import { buildSystemContracts } from './contracts/build.ts';
import { copyLicences, licencesFolder } from './contracts/licences.ts';
import { buildTokenContracts } from './contracts/tokens.ts';
import { buildGuide } from './guide/build.ts';
import type { ImagesFeature } from './lib/featureImage.ts';
import { writeNotices } from './lib/notices.ts';
import { projectRoot } from './lib/paths.ts';
import { UserError } from './lib/run.ts';

const features: readonly ImagesFeature[] = registered;
const outputFolder = join(projectRoot, 'dist', 'service');

/** Some dependencies are CommonJS and call `require` for Node's own modules, which ES modules do not provide. */
const banner = [
  "import { createRequire as slipwayCreateRequire } from 'node:module';",
  'const require = slipwayCreateRequire(import.meta.url);',
].join('\n');

/**
 * Bundles the processes into `dist/service`: `apiserver.js`, `admission.js`, `forks.js`, `operator.js`, those of plugins, the Jobs' `keys.js` and `reseal.js` and their source maps.
 * Bundles the processes of features that have images of their own, such as the compilers, into folders of their names.
 * Builds the console into `dist/service/console`, with the documentation.
 * Adds the system contracts that new chains start with and the contracts that tokens need, and the licences of all.
 * The output is reproducible, so an image tag can be derived from its content.
 */
async function buildService(): Promise<void> {
  const service = await bundle(outputFolder, {
    apiserver: 'apiserver/main.ts',
    admission: 'admission/main.ts',
    forks: 'forks/main.ts',
    operator: 'operator/main.ts',
    keys: 'operator/keys/main.ts',
    reseal: 'operator/secret/main.ts',
    // Programs of plugins.
    dfns: 'engines/dfns/src/main.ts',
    vrf: 'engines/vrf/src/main.ts',
    // Worker threads of both processes.
    signWorker: 'core/signing/signWorker.ts',
    // Both processes load it if traces are on.
    tracing: 'core/tracing/sdk.ts',
  });
  await cp(buildSystemContracts(), join(outputFolder, 'system-contracts.json'));
  await buildConsole(join(outputFolder, 'console'));
  await buildGuide(join(outputFolder, 'console', 'guide'));
  await cp(await buildTokenContracts(), join(outputFolder, 'token-contracts'), { recursive: true });
  await copyLicences();
  writeNotices(join(licencesFolder, 'packages.txt'), [service]);
  for (const { image, programs } of features.flatMap(({ images }) => images)) {
    const folder = join(projectRoot, 'dist', image);
    writeNotices(join(folder, 'licences.txt'), [await bundle(folder, programs)]);
  }
}

async function bundle(outdir: string, entryPoints: Record<string, string>): Promise<Metafile> {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints,
    outdir,
    bundle: true,
    metafile: true,
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
  await writeFile(join(outdir, 'package.json'), '{ "type": "module", "private": true }\n');
  return metafile;
}

// A shell or a test runner may have set it for itself; vite would build the console for that.
process.env.NODE_ENV = 'production';
try {
  await buildService();
} catch (error) {
  // esbuild has already printed each error with its location.
  const isPrinted = error instanceof Error && 'errors' in error;
  if (!isPrinted) console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
