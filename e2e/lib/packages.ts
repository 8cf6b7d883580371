import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withLock } from '../../hack/lib/lock.ts';
import { cachePath } from '../../hack/lib/paths.ts';
import { run } from '../../hack/lib/run.ts';

const installLimitMs = 240_000;

/** What a folder of the cache has to contain. */
interface Packages {
  name: string;
  /** The file that pins the packages; another content has another folder. */
  pins: string;
  install(folder: string): Promise<void>;
}

/** The cache folder with these packages; downloads them the first time. */
async function ensure({ name, pins, install }: Packages): Promise<string> {
  const folder = cachePath(name, createHash('sha256').update(readFileSync(pins)).digest('hex').slice(0, 12));
  const completeMarker = join(folder, 'whole');
  await withLock({ path: `${folder}.lock`, purpose: `installing ${name}` }, async () => {
    if (existsSync(completeMarker)) return;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    await install(folder);
    writeFileSync(completeMarker, '');
  });
  return folder;
}

/**
 * A virtual environment with the packages of a requirements file. Throws UserError with what is missing: Python, its venv
 * module or access to PyPI.
 */
export function ensurePythonPackages(name: string, requirements: string): Promise<string> {
  return ensure({
    name,
    pins: requirements,
    async install(folder) {
      await run('python3', ['-m', 'venv', folder], {
        remedy:
          'install Python 3.10 or newer with its venv module (on Debian or Ubuntu: apt-get install python3-venv)',
      });
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--requirement', requirements], {
        timeoutMs: installLimitMs,
        remedy: 'check that this machine can reach PyPI, or set PIP_INDEX_URL to a mirror',
      });
    },
  });
}

/** A folder with a package.json and the packages that it or its lock pins. Throws UserError if npm's registry is not reached. */
export function ensureNodePackages(name: string, packageJson: string): Promise<string> {
  const lock = join(dirname(packageJson), 'package-lock.json');
  const hasLock = existsSync(lock);
  return ensure({
    name,
    pins: hasLock ? lock : packageJson,
    async install(folder) {
      mkdirSync(folder);
      for (const file of hasLock ? [packageJson, lock] : [packageJson]) {
        copyFileSync(file, join(folder, basename(file)));
      }
      await run(
        'npm',
        [hasLock ? 'ci' : 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'],
        {
          cwd: folder,
          env: ownNode,
          timeoutMs: installLimitMs,
          remedy: 'check that this machine can reach the npm registry',
        },
      );
    },
  });
}

/** npm leaves out optional packages that the Node.js which runs it is too old for. */
export const ownNode = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
