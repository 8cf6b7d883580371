import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** The import rules of CONTRIBUTING.md. The title of each rule gives its reason. */

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  {
    cwd: projectRoot,
  },
)
  .toString()
  .split('\n')
  .filter((file) =>
    /^(core|operator|apiserver|admission|forks|engines|features|sdk|cli|mcp|console|test)\//.test(file),
  );

interface Import {
  file: string;
  /** The path from the root for our own files, otherwise the package name. */
  target: string;
  isTypeOnly: boolean;
}

const importPattern =
  /^(?:import|export)\s+(type\s)?[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  return [...text.matchAll(importPattern)].map(([, typeWord, from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? '';
    const target = name.startsWith('.')
      ? relative(projectRoot, join(projectRoot, dirname(file), name))
      : name;
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

/** What is not a package. */
const isOurs = under(
  'core/',
  'operator/',
  'apiserver/',
  'admission/',
  'forks/',
  'engines/',
  'sdk/',
  'cli/',
  'mcp/',
  'console/',
  'features/',
  'test/',
  'hack/',
  'e2e/',
  'bench/',
);

it('finds the imports that it checks', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(list(imports)).toContain('operator/network/lifecycle/context.ts → core/lib/clock.ts');
});

describe('layers: a lower layer never imports a higher one, so that each can be read and changed on its own', () => {
  // The data of EVM chains is below the contract, whose chain types, schemas and documents derive from it.
  const facts = [
    'chain.ts',
    'chains/',
    'contracts.ts',
    'evmChains.ts',
    'opStack.ts',
    'registry.ts',
    'storage.ts',
  ].map((name) => `core/chains/evm/${name}`);
  const api = ['core/lib/', 'core/api/', 'core/chains/evm/evmChains.ts'];
  const base = [...api, 'core/tracing/', 'core/kube/', 'core/accounts/'];
  const chain = [...base, 'core/evm/', 'core/signing/', 'core/recordings/'];
  const deploy = [...chain, 'core/abi/', 'core/deploy/'];
  const http = [
    'apiserver/http/',
    'apiserver/lifecycle.ts',
    'apiserver/settings.ts',
    'apiserver/singleServer.ts',
  ];
  const layers: [string, string[]][] = [
    ['core/lib/', ['core/lib/']],
    // Pure work on ABIs, which clients need as well.
    ['core/abi/', ['core/abi/', 'core/lib/']],
    ...facts.map((file): [string, string[]] => [file, facts]),
    // The schemas and endpoints of tokens are made from their definitions, which are data (see below).
    [
      'core/api/',
      [...api, 'core/tokens/definition.ts', 'core/tokens/registry.ts', 'features/registry/api.ts'],
    ],
    ['core/tracing/', [...api, 'core/tracing/']],
    ['core/kube/', [...api, 'core/tracing/', 'core/kube/']],
    ['core/accounts/', [...api, 'core/accounts/']],
    ['core/engines/', [...api, 'core/tracing/', 'core/kube/', 'core/engines/']],
    ['core/chains/', [...base, 'core/engines/', 'core/chains/', 'core/plugins/']],
    // A plugin's pods are described as an engine's: the driver's seam is all that it knows of chains.
    [
      'core/plugins/',
      [...base, 'core/engines/', 'core/evm/', 'core/deploy/', 'core/plugins/', 'core/chains/driver.ts'],
    ],
    ['core/signing/', ['core/lib/', 'core/signing/']],
    ['core/evm/', [...api, 'core/abi/', 'core/tracing/', 'core/outbound/', 'core/signing/', 'core/evm/']],
    ['core/recordings/', [...api, 'core/tracing/', 'core/kube/', 'core/recordings/']],
    ['core/networks/', [...base, 'core/networks/']],
    ['core/storage/', [...base, 'core/storage/']],
    ['core/outbound/', ['core/lib/', 'core/outbound/']],
    ['core/outbox/', [...chain, 'core/networks/', 'core/storage/', 'core/outbox/']],
    ['core/replays/', [...chain, 'core/replays/']],
    ['core/events/', [...chain, 'core/networks/', 'core/outbox/', 'core/events/']],
    ['core/deploy/', deploy],
    ['core/crosschain/', [...deploy, 'core/crosschain/']],
    ['core/tokens/', [...deploy, 'core/crosschain/', 'core/tokens/']],
    ['operator/', ['core/', 'operator/', 'features/registry/operator.ts']],
    // The tools of agents are a client as well: the API server calls itself through it, as the caller.
    [
      'apiserver/',
      ['core/', 'apiserver/', 'mcp/server.ts', 'sdk/src/client.ts', 'features/registry/server.ts'],
    ],
    ['mcp/', ['mcp/', 'sdk/', 'core/abi/', 'features/registry/mcp.ts']],
    // Processes of their own: they serve HTTP and end as the API server does, and know nothing of its resources.
    ['admission/', ['core/', 'admission/', ...http]],
    ['forks/', ['core/', 'forks/', 'apiserver/gateway/jsonrpc/', ...http]],
    // Programs in the pods of networks: of the service they have only what core offers.
    ['engines/', ['core/', 'engines/']],
    // Published on its own: nothing of the service is part of it.
    ['sdk/', ['sdk/']],
    // Runs in browsers: of the service it knows the API alone.
    ['console/', ['console/', 'sdk/', 'features/registry/console.ts']],
    // A client like any other: it reaches the service through the SDK alone.
    [
      'cli/',
      ['cli/', 'sdk/', 'core/lib/', 'core/abi/', 'core/version.ts', 'mcp/', 'features/registry/cli.ts'],
    ],
  ];
  it.each(layers)('%s', (layer, allowed) => {
    const wrong = imports.filter(
      ({ file, target }) =>
        file.startsWith(layer) && !isTest(file) && isOurs(target) && !under(...allowed)(target),
    );
    expect(list(wrong)).toEqual([]);
  });
});

describe('a feature can be read, tested and removed alone', () => {
  const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1];

  it('nobody imports a feature but itself and the registry, of which each process has its own', () => {
    const wrong = imports.filter(({ file, target }) => {
      const [from, to] = [featureOf(file), featureOf(target)];
      return to !== undefined && to !== 'registry' && from !== to && from !== 'registry';
    });
    expect(list(wrong)).toEqual([]);
  });

  it('a registry is imported where its process is assembled, and by core only where the contract is made', () => {
    const importers = imports.filter(({ target }) => featureOf(target) === 'registry');
    expect(list(importers).sort()).toEqual([
      'apiserver/features.ts → features/registry/server.ts',
      'cli/features.ts → features/registry/cli.ts',
      'console/src/features.ts → features/registry/console.ts',
      // The one place below the processes: operations, schemas and settings of features are part of the contract.
      'core/api/features.ts → features/registry/api.ts',
      'mcp/features.ts → features/registry/mcp.ts',
      'operator/features.ts → features/registry/operator.ts',
      'test/features.ts → features/registry/testing.ts',
    ]);
  });

  // Each part of a feature is a part of a process, and may import what that may; all of them its contract.
  const parts: [part: string, allowed: string[]][] = [
    ['feature.ts', ['core/api/', 'core/lib/']],
    ['api/', ['core/api/', 'core/lib/']],
    ['core/', ['core/']],
    ['monitoring/', ['core/lib/', 'hack/generate/monitoring/', 'features/*/']],
    ['compilers/', ['core/', 'apiserver/', 'features/*/core/']],
    ['images/', ['hack/lib/featureImage.ts']],
    ['server/', ['core/', 'apiserver/', 'features/*/core/']],
    ['operator/', ['core/', 'operator/', 'features/*/core/']],
    // The explorer works on ABIs, as other clients do.
    ['console/', ['console/', 'sdk/', 'core/abi/']],
    // Commands and tools read chains in one way.
    ['cli/', ['cli/', 'sdk/', 'core/lib/', 'core/abi/', 'mcp/', 'features/*/mcp/']],
    ['mcp/', ['mcp/', 'sdk/', 'core/abi/']],
  ];
  it.each(parts)('%s', (part, allowed) => {
    const wrong = imports.filter(({ file, target }) => {
      const feature = featureOf(file);
      if (feature === undefined || feature === 'registry' || isTest(file)) return false;
      if (!file.startsWith(`features/${feature}/${part}`) || !target.includes('/')) return false;
      const own = [part, 'api/', ...(part === 'feature.ts' ? [] : ['feature.ts'])];
      const isOwn = under(...own.map((name) => `features/${feature}/${name}`));
      return (
        isOurs(target) &&
        !isOwn(target) &&
        !under(...allowed)(target.replace(`features/${feature}/`, 'features/*/'))
      );
    });
    expect(list(wrong)).toEqual([]);
  });
});

it('the definitions of tokens are data, so that the API can be made from them without loading what deploys', () => {
  const reached = new Set(['core/tokens/registry.ts']);
  for (const file of reached) {
    for (const { target } of imports.filter((one) => one.file === file)) {
      if (target.startsWith('core/tokens/')) reached.add(target);
    }
  }
  expect([...reached]).toContain('core/tokens/cct/definition.ts');
  const isAllowed = (target: string) => under('core/api/', 'core/tokens/')(target) || target === 'zod';
  const wrong = imports.filter(({ file, target }) => reached.has(file) && !isAllowed(target));
  expect(list(wrong)).toEqual([]);
  expect([...reached].filter((file) => /\/(steps|standards?)\.ts$/.test(file))).toEqual([]);
});

describe('packages: only its owners import a library, so that few files change with it', () => {
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
        'core/abi/',
        'engines/dfns/',
        'engines/vrf/',
        // Decodes in the browser what the ABIs of users say: the service does not work on them.
        'features/explorer/console/evm/',
      ),
    ],
    ['@noble/hashes', /^@noble\/hashes/, under('core/lib/text/eip55.ts')],
    ['winston', /^winston/, under('core/lib/log.ts')],
    // Only where it is loaded when traces are on.
    ['@opentelemetry', /^@opentelemetry/, under('core/tracing/sdk.ts')],
    ['@prometheus-io/client', /^@prometheus-io\/client/, under('core/lib/metrics.ts')],
    [
      '@modelcontextprotocol',
      /^@modelcontextprotocol/,
      under('mcp/server.ts', 'apiserver/mcp/', 'cli/commands/mcp.ts'),
    ],
    ['ws', /^ws$/, under('core/lib/http/nodeSocket.ts', 'apiserver/gateway/')],
    ['commander', /^commander$/, under('cli/')],
  ];
  it.each(owners)('%s', (_name, pattern, isOwner) => {
    expect(list(runtime.filter(({ file, target }) => pattern.test(target) && !isOwner(file)))).toEqual([]);
  });
});

/** What runs on the machine of whoever tests an installed chart, as all of e2e/. */
const isEndToEnd = (file: string) => /^features\/[^/]+\/e2e\//.test(file);

function linesWith(pattern: RegExp, isExempt: (file: string) => boolean): string[] {
  return files
    .filter((file) => !isExempt(file) && !isEndToEnd(file))
    .flatMap((file) =>
      readFileSync(join(projectRoot, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    );
}

it('the client imports nothing, so that it runs in browsers, Node, Deno and Bun', () => {
  const packages = imports.filter(
    ({ file, target }) => file.startsWith('sdk/src/') && !isTest(file) && !target.startsWith('sdk/src/'),
  );
  expect(list(packages)).toEqual([]);
});

it('only core/lib/env.ts reads process.env, so that every setting is validated and listed', () => {
  // This applies to tests as well: they get what they need from hack/testenv.
  // The programs of the SDK, the command line and an image of its own are not part of the service.
  const programs = under(
    'core/lib/env.ts',
    'engines/graph/',
    'sdk/action/',
    'sdk/bin/',
    'sdk/testing/',
    'cli/io/processIo.ts',
  );
  // What users put into their own projects.
  const snippets = under('cli/network/env.ts', 'console/src/lib/snippets.ts');
  expect(linesWith(/process\.env\b/, (path) => programs(path) || snippets(path))).toEqual([]);
});

it('nothing asks for anvil_nodeInfo, because anvil 1.7 stands still for good when it mines meanwhile', () => {
  const refuses = under('apiserver/gateway/policy/evmMethods.ts');
  expect(linesWith(/'anvil_nodeInfo'/, (file) => isTest(file) || refuses(file))).toEqual([]);
});

it('time comes only from a Clock, so that tests can control it', () => {
  const clocks = under(
    'core/lib/clock.ts',
    'core/lib/manualClock.ts',
    'core/kube/monotonic.ts',
    'sdk/src/runtime.ts',
    'console/src/lib/clock.ts',
  );
  // How long a connection may be idle is for Node to see.
  expect(
    linesWith(
      /\bDate\.now\(|\bnew Date\(\)|(?<!response\.|socket\.)\bsetTimeout\(|\bsetInterval\(|performance\.now\(/,
      (file) => isTest(file) || clocks(file),
    ),
  ).toEqual([]);
});

it('a chain family never imports another, so that each can be added and removed on its own', () => {
  const family = (path: string) => /^core\/chains\/(?!testing\/)([^/]+)\//.exec(path)?.[1];
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [family(file), family(target)];
    return from !== undefined && to !== undefined && from !== to;
  });
  expect(list(wrong)).toEqual([]);
});

it('there are no barrel files, so that imports point to the file that defines a symbol', () => {
  expect(files.filter((file) => /(^|\/)index\.ts$/.test(file))).toEqual([]);
});
