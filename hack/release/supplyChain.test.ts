import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../lib/paths.ts';

/** What a release is made of, and who may change it on its way. The workflows cannot be run here, so their files are read. */

interface Job {
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; with?: Record<string, unknown>; env?: Record<string, string> }[];
}

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');
const workflows = globSync('{.github/workflows/*.{yml,yaml},action.yml}', { cwd: projectRoot }).sort();
const jobsOf = (file: string) => {
  const { permissions, jobs }: { permissions?: Record<string, string>; jobs?: Record<string, Job> } = parse(
    read(file),
  );
  return Object.entries(jobs ?? {}).map(([name, job]) => ({
    name: `${relative('.github/workflows', file)} ${name}`,
    permissions: job.permissions ?? permissions,
    steps: job.steps,
  }));
};
const jobs = workflows.flatMap(jobsOf);
const runs = (job: (typeof jobs)[number]) => job.steps.flatMap(({ run }) => run ?? []).join('\n');
const writes = ({ permissions }: (typeof jobs)[number]) =>
  Object.entries(permissions ?? { all: 'write' }).flatMap(([what, right]) =>
    right === 'write' ? [what] : [],
  );
/** Commands that run code of npm packages, and make, which installs them. */
const installing = /\bnpm (ci|install|i|exec|run|rebuild)\b|\bnpx\b|\bmake\b|hack\/release\/build\.ts/;

describe('the workflows', () => {
  it('name each action by its commit, with the version beside it', () => {
    const lines = workflows.flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => /^\s*(- )?uses: /.test(line)),
    );
    expect(lines.length).toBeGreaterThan(15);
    const pinned = /uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(lines.filter((line) => !pinned.test(line))).toEqual([]);
  });

  it('have one commit and one version of each action', () => {
    const pins = workflows.flatMap((file) => read(file).match(/(?<=uses: ).+@.+$/gm) ?? []);
    const names = pins.map((pin) => pin.split('@')[0]);
    expect(new Set(pins).size).toBe(new Set(names).size);
  });

  it('say of each job what it may do, and nothing more than read by default', () => {
    for (const file of workflows.filter((name) => name !== 'action.yml')) {
      const { permissions } = parse(read(file));
      expect([file, Object.values(permissions).filter((right) => right !== 'read')]).toEqual([file, []]);
    }
    expect(
      Object.fromEntries(jobs.map((job) => [job.name, writes(job)]).filter(([, rights]) => rights?.length)),
    ).toEqual({
      'release.yml attest': ['packages', 'id-token', 'attestations'],
      'release.yml packages': ['id-token'],
      'release.yml publish': ['packages'],
      'release.yml release': ['contents'],
    });
  });

  it('run the code of packages only where nothing may be written and no secret is', () => {
    const installers = jobs.filter((job) => installing.test(runs(job)));
    expect(installers.map(({ name }) => name)).toContain('release.yml build');
    for (const job of installers) {
      expect([job.name, writes(job)]).toEqual([job.name, []]);
      expect(JSON.stringify(job.steps)).not.toMatch(/secrets\.|github\.token/);
    }
  });

  it('install packages of a release by the lock file, without their scripts and without caches', () => {
    const [build] = jobs.filter(({ name }) => name === 'release.yml build');
    expect(build && runs(build)).toContain('npm ci --ignore-scripts');
    expect(read('.github/workflows/release.yml')).not.toMatch(/cache: (npm|true)|actions\/cache/);
  });

  it('leave no credentials in the checkout', () => {
    const checkouts = jobs
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(3);
    for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  it('take no text of others into a shell: values come by the environment', () => {
    expect(jobs.filter((job) => runs(job).includes('$' + '{{')).map(({ name }) => name)).toEqual([]);
  });

  it('attest who built each image and what is in it', () => {
    const [attest] = jobs.filter(({ name }) => name === 'release.yml attest');
    const inputs = attest?.steps
      .filter(({ uses }) => uses?.startsWith('actions/attest@'))
      .map((step) => step.with);
    expect(inputs).toEqual([
      expect.not.objectContaining({ 'sbom-path': expect.anything() }),
      expect.objectContaining({ 'sbom-path': expect.stringContaining('.spdx.json') }),
    ]);
    for (const input of inputs ?? []) {
      expect(input).toMatchObject({
        'push-to-registry': true,
        'subject-digest': expect.stringContaining('matrix.image.digest'),
      });
    }
  });
});

describe('the programs with rights to publish', () => {
  /** The packages that a program loads, through all that it imports. Imports of types are not there at run time. */
  function packagesOf(file: string, seen = new Set<string>()): string[] {
    if (seen.has(file)) return [];
    seen.add(file);
    const imports = read(file).matchAll(
      /^(?:import|export)(?! type)[^;]*? from '([^']+)';|^import '([^']+)';/gms,
    );
    return [...imports].flatMap(([, from, alone]) => {
      const target = from ?? alone ?? '';
      if (target.startsWith('node:')) return [];
      return target.startsWith('.') ? packagesOf(join(dirname(file), target), seen) : [target];
    });
  }

  it.each(['hack/release/main.ts', 'hack/releaseNotes.ts'])('load no package: %s', (file) => {
    expect(packagesOf(file)).toEqual([]);
  });

  it('are told from those that do', () => {
    expect(packagesOf('hack/release/build.ts')).toEqual(expect.arrayContaining(['yaml', 'esbuild']));
  });

  it('are all that the jobs with rights run', () => {
    const programs = jobs
      .filter((job) => writes(job).length > 0)
      .flatMap((job) => runs(job).match(/hack\/[\w/]+\.ts/g) ?? []);
    expect(programs).toEqual(['hack/release/main.ts', 'hack/releaseNotes.ts']);
  });
});

describe('the base images', () => {
  const dockerfiles = globSync(['Dockerfile', '{engines,hack}/**/Dockerfile'], { cwd: projectRoot });
  const bases = dockerfiles
    .flatMap((file) => read(file).match(/^ARG \w+_IMAGE=.+$/gm) ?? [])
    .map((line) => line.split('=')[1]);

  it('are pinned by digest, one for each', () => {
    expect(dockerfiles.length).toBeGreaterThan(10);
    expect(bases).toHaveLength(dockerfiles.length);
    expect(bases.filter((base) => !/^[\w/]+:[\w.-]+@sha256:[0-9a-f]{64}$/.test(base ?? ''))).toEqual([]);
    expect(new Set(bases).size).toBe(2);
  });

  it('are what images are built from, and nothing else is fetched', () => {
    for (const file of dockerfiles) {
      const froms = read(file).match(/^FROM .+$/gm) ?? [];
      expect([file, froms.filter((line) => !/^FROM \$\{\w+_IMAGE\}$/.test(line))]).toEqual([file, []]);
      expect([file, read(file).match(/^(RUN|ADD http).*$/gm)]).toEqual([file, null]);
    }
  });
});

describe('package-lock.json', () => {
  interface Locked {
    integrity?: string;
    hasInstallScript?: boolean;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
    optionalDependencies?: Record<string, string>;
  }
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));

  /** Where Node and npm look for a package: beside the one that wants it, and further out. */
  function isLocked(wanted: string, from: string): boolean {
    if (`${from}${from && '/'}node_modules/${wanted}` in packages) return true;
    return from !== '' && isLocked(wanted, from.split('/node_modules/').slice(0, -1).join('/node_modules/'));
  }

  it('has all that packages want, for every platform: `npm ci` refuses it otherwise', () => {
    const missing = Object.entries(packages).flatMap(
      ([from, { dependencies, devDependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
          .filter((wanted) => !isLocked(wanted, from))
          .map((wanted) => `${wanted}, of ${from}`),
    );
    expect(missing).toEqual([]);
  });

  it('has a checksum of each package', () => {
    const without = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && !integrity);
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('is installed on machines of developers without scripts, but for that of `node`', () => {
    const steps = read('hack/installPackages.cjs').match(/^\s+\['(install|rebuild)'.*$/gm);
    expect(steps).toEqual([
      expect.stringContaining("'install', '--no-save', '--ignore-scripts'"),
      expect.stringContaining("'rebuild', 'node', '--ignore-scripts=false'"),
    ]);
  });

  it('has no package with a script that nobody has looked at', () => {
    const withScript = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(withScript.map(([path]) => path.split('node_modules/').at(-1)).sort()).toEqual([
      // Fetch, or check, the program that is in an optional package for each platform.
      ...['@foundry-rs/anvil', '@foundry-rs/cast', '@foundry-rs/forge'],
      // Has prebuilt addons in optional packages.
      '@parcel/watcher',
      // Have a version in JavaScript.
      ...['bigint-buffer', 'bufferutil'],
      'esbuild',
      // Fetches Node, which make runs with; a release runs with the one of its runner.
      'node',
      'utf-8-validate',
    ]);
  });
});
