import { planContext } from '../../chains/testing/planContext.ts';
import type { Plugin, PluginStep } from '../plugin.ts';
import { describePlugin, problemsOf } from './conformance.ts';
import { testPlugin } from './testPlugin.ts';

describe.each([['vrfv2plus' as const], ['mpc' as const]])('the test plugin, as %s', (type) => {
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
  ['has a part with a long name', inFirst({ name: 'a-name-of-many-words' }), /not allowed: a-name/],
  ['has a privileged port', inFirst({ ports: { http: 80, admin: 8001 } }), /not allowed: 80/],
  ['has a ready port that does not exist', inFirst({ readyPort: 'grpc' }), /not allowed: node/],
  [
    'takes the name of a service of chains',
    { services: () => ({ rpc: { part: 'node', port: 'http', needs: 'public' } }) },
    /service that is not allowed: rpc/,
  ],
  [
    'has a service without a port',
    { services: () => ({ 'vrf-admin': { part: 'nodes', port: 'http', needs: 'public' } }) },
    /service that is not allowed: vrf-admin/,
  ],
  ['asks a service that does not exist', { services: () => ({}) }, /service that is not allowed: vrf-admin/],
  ['has a file where programs are', inFirst({ files: { '/usr/bin/a': '' } }), /outside of .etc/],
  [
    'writes the chain id into a script',
    {
      plan(input) {
        const { parts, ...plan } = testPlugin.plan(input);
        const files = { '/etc/start.sh': `echo ${input.chain.chainId}` };
        return { ...plan, parts: parts.map((part) => ({ ...part, files })) };
      },
    },
    /a script that is not the same/,
  ],
  ['has large files', inFirst({ files: { '/etc/a': 'x'.repeat(200_000) } }), /too many bytes/],
  [
    'has a secret among its arguments',
    {
      plan(input) {
        const { parts, ...plan } = testPlugin.plan(input);
        return { ...plan, parts: parts.map((part) => ({ ...part, args: [input.deriveSecret('key')] })) };
      },
    },
    /is exposed/,
  ],
  [
    'has a secret in the path of a request',
    changed('job', { request: () => ({ method: 'GET', path: `/${planContext.deriveSecret('key')}` }) }),
    /is exposed/,
  ],
  ['reports a secret', { report: (input) => ({ values: { key: input.deriveSecret('key') } }) }, /is exposed/],
  ['mounts a secret that it does not have', planned(() => ({ secrets: {} })), /not mounted correctly: key/],
  [
    'has a secret that it mounts nowhere',
    planned(({ secrets }) => ({ secrets: { ...secrets, other: 'abc' } })),
    /not mounted correctly: other/,
  ],
  ['works on another network', changed('job', { network: 'other' }), /on another network: job/],
  ['works in the scope of tokens', changed('coordinator', { scope: 'token/1' }), /of another scope/],
  ['has a step twice', changed('job', { name: 'funds' }), /twice/],
  [
    'has steps that wait for each other',
    changed('job', {
      get after() {
        return [idOf('funds')];
      },
    }),
    /never happens.*job/,
  ],
  ['waits for a step that does not exist', changed('coordinator', { after: ['a/b'] }), /never happens/],
];
const idOf = (name: string) => `7b1c7f0e-0000-4000-8000-000000000001/${name}`;

it.each(broken)('a plugin that %s is detected', (_reason, change, problem) => {
  expect(problemsOf({ plugin: { ...testPlugin, ...change }, config }).join('\n')).toMatch(problem);
});
