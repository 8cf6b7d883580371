import { SlipwayError } from '../../../../sdk/src/error.ts';
import type { Network } from '../../../../sdk/src/generated/types.ts';
import { errorsAt } from '../../forms/fieldErrors.ts';
import { digitsOf } from '../../lib/units.ts';
import { places } from './errors.ts';
import { emptyForm, missingOf, toBody } from './form.ts';
import { snippetsOf } from './snippets.ts';
import { askedArgs, pathOf, standardPaths } from './standards.ts';

function aNetwork(name: string, status: Network['status'] = { state: 'Operational' }): Network {
  return {
    kind: 'Network',
    version: 'v1alpha',
    id: `id-of-${name}`,
    name,
    metadata: { name },
    status,
    spec: { chain: { type: 'Ethereum' } },
  };
}

const [a, b] = [aNetwork('a'), aNetwork('b')];
const form = { ...emptyForm, name: 'Coin', symbol: 'CN', decimals: '6', args: { total_supply: '12.5' } };

test('amounts are sent in smallest units, and what is empty is left out', () => {
  expect(toBody({ ...form, labels: 'team=core' }, [a, b], [a, b])).toEqual({
    name: 'Coin',
    symbol: 'CN',
    decimals: 6,
    metadata: { labels: { team: 'core' } },
    deployments: [
      { network_id: 'id-of-a', args: { total_supply: '12500000' } },
      { network_id: 'id-of-b', args: { total_supply: '12500000' } },
    ],
  });
});

test('each network gets the endpoint that a LayerZero network has there, unless one is named', () => {
  const members = [
    { network: 'a', networkID: 'id-of-a', eid: 1, endpoint: '0xe', enclaveID: '', incarnation: '' },
  ];
  const layerZero = aNetwork('lz', { state: 'Operational', layerzero: { members } });
  const oft = { ...form, path: 'oft' as const };
  const endpoints = (args: object) =>
    toBody({ ...oft, args: { ...oft.args, ...args } }, [a, b], [a, b, layerZero]).deployments.map(
      ({ args: { layer_zero_endpoint } }) => layer_zero_endpoint,
    );
  expect(endpoints({})).toEqual(['0xe', undefined]);
  expect(endpoints({ layer_zero_endpoint: '0xf' })).toEqual(['0xf', '0xf']);
});

test('args of another standard are not sent', () => {
  const args = { total_supply: '1', compliance_registry: '0x0', liquidity: '0.5' };
  const argsFor = (path: 'erc20' | 'cct/lock-release') =>
    toBody({ ...form, path, args }, [a], []).deployments[0]?.args;
  expect(argsFor('erc20')).toEqual({ total_supply: '1000000' });
  expect(argsFor('cct/lock-release')).toEqual({ total_supply: '1000000', liquidity: 500_000 });
});

test.each([
  ['100000000000000000', 1e23],
  ['0.5', 500_000],
  ['123456789012345678.901234', '123456789012345678901234'],
  ['many', 'many'],
])('a liquidity of %s is sent exactly, or as a text that is refused', (liquidity, expected) => {
  const { deployments } = toBody({ ...form, path: 'cct/lock-release', args: { liquidity } }, [a], []);
  expect(deployments[0]?.args).toEqual({ liquidity: expected });
});

test('a number of whole units is shown with all its digits', () => {
  expect([1e23, 1.5e21, 123_000, 0].map(digitsOf)).toEqual([
    '100000000000000000000000',
    '1500000000000000000000',
    '123000',
    '0',
  ]);
});

test('what has to be filled in is named', () => {
  expect(missingOf({ ...form, symbol: ' ', args: {} })).toEqual(['symbol', 'total_supply']);
  expect(missingOf({ ...form, path: 'cct/burn-mint', args: {} })).toEqual([]);
});

test('errors of all deployments are at the field that they share', () => {
  const details = [0, 1].map((index) => ({
    path: `deployments[${index}].args.total_supply`,
    message: 'must be more than 0',
  }));
  const error = new SlipwayError('wrong', { status: 400, reason: 'BadRequest', details });
  expect(errorsAt(error, places).at).toEqual({ total_supply: 'must be more than 0' });
});

test.each(standardPaths)('%s has a form, and its tokens lead back to it', (path) => {
  const mechanism = path.startsWith('cct/') ? path.slice(4) : undefined;
  const type = path.startsWith('cct') ? 'CCT' : path.toUpperCase();
  expect(pathOf({ type, mechanism })).toBe(path);
  expect(askedArgs(path).length).toBeGreaterThan(0);
});

test('the same request as curl, CLI, SDK and YAML', () => {
  const body = toBody(form, [a, b], []);
  const texts = snippetsOf({ path: 'erc20', body, networks: [a, b], workspace: 'w' }).map(({ text }) => text);
  expect(texts[0]).toContain('/transaction/v1alpha1/transaction/token/erc20/deploy');
  expect(texts[1]).toContain('--network a \\\n  --network b \\\n  --arg total_supply=12500000');
  expect(texts[2]).toContain('client.tokens.deployErc20({');
  expect(texts[3]).toContain('kind: Token');
  expect(texts[3]).toContain('network: b');
});
