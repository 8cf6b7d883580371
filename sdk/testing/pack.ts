import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../hack/lib/paths.ts';
import { run } from '../../hack/lib/run.ts';

/** Builds the package, and puts it where npm would install it for a project in `folder`. */
export async function installPackage(folder: string): Promise<void> {
  await run(process.execPath, [join(projectRoot, 'hack/buildSdk.ts')], { env: { NODE_OPTIONS: undefined } });
  const packed = await run(
    'npm',
    ['pack', join(projectRoot, 'sdk'), '--json', '--pack-destination', folder],
    { cwd: folder },
  );
  const [{ filename }] = JSON.parse(packed);
  const installed = join(folder, 'node_modules/@slipway/sdk');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, filename), '-C', installed, '--strip-components=1']);
}
