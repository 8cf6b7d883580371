import type { PluginName } from '../../../core/api/resources/plugins.ts';
import { networkType } from '../../../core/api/resources/resources.ts';
import { aNetwork } from '../../../core/api/testing/builders.ts';
import type { EnginePart } from '../../../core/chains/driver.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';
import { engineMeta, nameOfPart, type RenderInput } from './childNames.ts';

const networkOf = (name: string) => createFakeKube().seed(networkType, aNetwork({ name }));
const parts: [string, PluginName | undefined][] = [
  ['rpc', undefined],
  ['graph-node', 'graph'],
  ['chainlink-node', 'chainlink'],
];

describe.each([
  ['a letter', 'a'.repeat(63)],
  ['a digit', `1${'a'.repeat(62)}`],
  ['a digit, and has a dash where it is cut', `${'1-'.repeat(31)}a`],
])('the longest name that begins with %s', (_what, name) => {
  it.each(parts)('is cut so that the Service of %s has a valid name', (part, plugin) => {
    expect(nameOfPart(networkOf(name), part, plugin)).toMatch(/^(?=.{1,63}$)[a-z]([a-z0-9-]*[a-z0-9])?$/);
  });
});

it.each([
  ['a letter', 'a'.repeat(63), `${'a'.repeat(40)}-`],
  ['a digit', `1${'a'.repeat(62)}`, `n-1${'a'.repeat(39)}-`],
])(
  'volumes and files of the longest name that begins with %s keep theirs, or a chain is lost',
  (_what, name, start) => {
    const input = { network: networkOf(name), plan: {} } as unknown as RenderInput;
    const part = { name: 'validator' } as EnginePart;
    for (const suffix of ['-data', '-files'])
      expect(engineMeta(input, part, suffix).name).toMatch(
        new RegExp(`^${start}validator${suffix}-[0-9a-f]{10}$`),
      );
  },
);

it('a name of 40 characters is kept whole where it fits', () => {
  const name = 'a'.repeat(40);
  expect(nameOfPart(networkOf(name), 'rpc')).toMatch(new RegExp(`^${name}-rpc-`));
});
