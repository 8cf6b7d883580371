import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The import law of CONTRIBUTING.md. Each rule tells why it is there. */

const root = join(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts'], {
  cwd: root,
})
  .toString()
  .split('\n')
  .filter((file) => /^(core|operator|apiserver|test)\//.test(file));

interface Import {
  file: string;
  /** A path from the root for our own files, else the package's name. */
  target: string;
  isTypeOnly: boolean;
}

const importPattern =
  /^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(importPattern)].map(([, typeWord, from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? '';
    const target = name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name;
    return { file, target, isTypeOnly: typeWord !== undefined };
  });
}

const isTest = (file: string) => /\.test\.ts$|\/testing\/|^test\//.test(file);
const imports = files.flatMap(importsOf);
const runtime = imports.filter(({ isTypeOnly, file }) => !isTypeOnly && !isTest(file));
const list = (found: Import[]) => found.map(({ file, target }) => `${file} → ${target}`);
const under =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(folder));

it('finds the imports that it judges', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(list(imports)).toContain('operator/network/lifecycle/context.ts → core/lib/clock.ts');
});

describe('layers: what is below never knows what is above, so that each can be read and changed alone', () => {
  const api = ['core/lib/', 'core/api/'];
  const base = [...api, 'core/kube/', 'core/accounts/'];
  const chain = [...base, 'core/evm/', 'core/signing/', 'core/recordings/'];
  const deploy = [...chain, 'core/deploy/'];
  const layers: [string, string[]][] = [
    ['core/lib/', ['core/lib/']],
    ['core/api/', api],
    ['core/kube/', [...api, 'core/kube/']],
    ['core/accounts/', [...api, 'core/accounts/']],
    ['core/chains/', [...base, 'core/chains/', 'core/plugins/']],
    ['core/plugins/', [...base, 'core/evm/', 'core/deploy/', 'core/plugins/']],
    ['core/signing/', ['core/lib/', 'core/signing/']],
    ['core/evm/', [...api, 'core/signing/', 'core/evm/']],
    ['core/recordings/', [...api, 'core/recordings/']],
    ['core/networks/', [...base, 'core/networks/']],
    ['core/outbox/', [...chain, 'core/networks/', 'core/outbox/']],
    ['core/deploy/', deploy],
    ['core/crosschain/', [...deploy, 'core/crosschain/']],
    ['core/tokens/', [...deploy, 'core/crosschain/', 'core/tokens/']],
    ['operator/', ['core/', 'operator/']],
    ['apiserver/', ['core/', 'apiserver/']],
  ];
  it.each(layers)('%s', (layer, allowed) => {
    const own = under('core/', 'operator/', 'apiserver/', 'test/', 'hack/', 'e2e/', 'bench/');
    const wrong = imports.filter(
      ({ file, target }) =>
        file.startsWith(layer) && !isTest(file) && own(target) && !under(...allowed)(target),
    );
    expect(list(wrong)).toEqual([]);
  });
});

describe('packages: one place to change when a library changes', () => {
  const owners: [string, RegExp, (file: string) => boolean][] = [
    ['@kubernetes/client-node', /^@kubernetes\/client-node/, under('core/kube/')],
    ['express', /^express$/, under('apiserver/')],
    [
      'ethers',
      /^ethers/,
      under(
        'core/chains/',
        'core/evm/',
        'core/signing/',
        'core/outbox/',
        'core/deploy/',
        'core/crosschain/',
        'core/tokens/',
        'core/plugins/',
        'core/accounts/',
      ),
    ],
    ['winston', /^winston/, under('core/lib/log.ts')],
    ['@prometheus-io/client', /^@prometheus-io\/client/, under('core/lib/metrics.ts')],
    ['ws', /^ws$/, under('apiserver/gateway/')],
  ];
  it.each(owners)('%s', (_name, pattern, isOwner) => {
    expect(list(runtime.filter(({ file, target }) => pattern.test(target) && !isOwner(file)))).toEqual([]);
  });
});

function linesWith(pattern: RegExp, isExempt: (file: string) => boolean): string[] {
  return files
    .filter((file) => !isExempt(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
}

it('process.env is read in core/lib/env.ts alone, so that every setting is checked and listed', () => {
  // By tests as well: what they need of it, hack/testenv tells them.
  expect(linesWith(/process\.env\b/, under('core/lib/env.ts'))).toEqual([]);
});

it('time comes from a Clock alone, so that tests can hold it still', () => {
  const clocks = under('core/lib/clock.ts', 'core/lib/manualClock.ts', 'core/kube/monotonic.ts');
  expect(
    linesWith(
      /\bDate\.now\(|\bnew Date\(\)|\bsetTimeout\(|\bsetInterval\(|performance\.now\(/,
      (file) => isTest(file) || clocks(file),
    ),
  ).toEqual([]);
});

it('no family of chains knows another, so that each can be added and removed alone', () => {
  const family = (path: string) => /^core\/chains\/(?!testing\/)([^/]+)\//.exec(path)?.[1];
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [family(file), family(target)];
    return from !== undefined && to !== undefined && from !== to;
  });
  expect(list(wrong)).toEqual([]);
});

it('there are no barrels: a reader finds a thing where it is written', () => {
  expect(files.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
});
