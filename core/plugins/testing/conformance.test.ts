import type { Plugin, PluginStep } from '../plugin.ts';
import { describePlugin, problemsOf } from './conformance.ts';
import { testPlugin } from './testPlugin.ts';

describe.each([['vrfv2plus' as const], ['mpc' as const]])('the plugin of tests, as %s', (type) => {
  const wholly = type === 'mpc' ? testPlugin : { ...testPlugin, steps: () => [] };
  describePlugin({ plugin: wholly, config: { type } });
});

const config = { type: 'mpc' } as const;
const planned = (change: (plan: ReturnType<Plugin['plan']>) => object): Partial<Plugin<'vrf'>> => ({
  plan(input) {
    const plan = testPlugin.plan(input);
    return { ...plan, ...change(plan) };
  },
});
const changed = (name: string, change: object): Partial<Plugin<'vrf'>> => ({
  steps(input) {
    const steps = testPlugin.steps?.(input) ?? [];
    return steps.map((step): PluginStep => (step.name === name ? { ...step, ...change } : step));
  },
});
const inFirst = (change: object) =>
  planned(({ parts: [first, ...rest] }) => ({ parts: [{ ...first, ...change }, ...rest] }));
let calls = 0;

const broken: [reason: string, change: Partial<Plugin<'vrf'>>, problem: RegExp][] = [
  [
    'counts its calls',
    inFirst({
      get args() {
        calls += 1;
        return [String(calls)];
      },
    }),
    /second time/,
  ],
  [
    'changes its input',
    { plan: (input) => testPlugin.plan(Object.assign(input, { others: ['graph'] })) },
    /throws/,
  ],
  ['has a part with a long name', inFirst({ name: 'a-name-of-many-words' }), /cannot be: a-name/],
  ['has a port of root', inFirst({ ports: { http: 80, admin: 8001 } }), /cannot be: 80/],
  ['is ready at no port', inFirst({ readyPort: 'grpc' }), /cannot be: node/],
  [
    'takes the name of a service of chains',
    { services: () => ({ rpc: { part: 'node', port: 'http', needs: 'public' } }) },
    /service that cannot be: rpc/,
  ],
  [
    'has a service without a port',
    { services: () => ({ 'vrf-admin': { part: 'nodes', port: 'http', needs: 'public' } }) },
    /service that cannot be: vrf-admin/,
  ],
  ['asks a service that is not there', { services: () => ({}) }, /service that cannot be: vrf-admin/],
  ['has a file where programs are', inFirst({ files: { '/usr/bin/a': '' } }), /outside of .etc/],
  ['has large files', inFirst({ files: { '/etc/a': 'x'.repeat(200_000) } }), /too many bytes/],
  [
    'has a secret among its arguments',
    {
      plan(input) {
        const { parts, ...plan } = testPlugin.plan(input);
        return { ...plan, parts: parts.map((part) => ({ ...part, args: [input.deriveSecret('key')] })) };
      },
    },
    /said openly/,
  ],
  [
    'reports a secret',
    { report: (input) => ({ values: { key: input.deriveSecret('key') } }) },
    /said openly/,
  ],
  ['mounts a secret that it has not', planned(() => ({ secrets: {} })), /not mounted as it should be: key/],
  [
    'has a secret that it mounts nowhere',
    planned(({ secrets }) => ({ secrets: { ...secrets, other: 'abc' } })),
    /not mounted as it should be: other/,
  ],
  ['works on another network', changed('job', { network: 'other' }), /on another network: job/],
  ['works in the scope of tokens', changed('coordinator', { scope: 'token/1' }), /of another scope/],
  ['takes a step twice', changed('job', { name: 'funds' }), /twice/],
  [
    'waits in a circle',
    changed('job', {
      get after() {
        return [idOf('funds')];
      },
    }),
    /never comes.*job/,
  ],
  ['waits for a step that is not there', changed('coordinator', { after: ['a/b'] }), /never comes/],
];
const idOf = (name: string) => `7b1c7f0e-0000-4000-8000-000000000001/${name}`;

it.each(broken)('a plugin that %s is found out', (_reason, change, problem) => {
  expect(problemsOf({ plugin: { ...testPlugin, ...change }, config }).join('\n')).toMatch(problem);
});
