import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CopyOfCheckout, copyOfCheckout } from '../testing/copyOfCheckout.ts';

/** A token standard is one folder and its line in the registry: this one is made up, in a copy of the checkout. */

const definition = `import { z } from 'zod';
import { exampleContract } from '../../../api/openapi/exampleValues.ts';
import { totalSupply } from '../../../api/rules/supplyRules.ts';
import { addressSchema } from '../../../api/values.ts';
import { defineToken } from '../../definition.ts';

export const vault = defineToken({
  type: 'VAULT',
  folder: 'vault',
  description: 'A made-up vault.',
  args: {
    total_supply: totalSupply,
    asset: addressSchema.describe('Token that the vault holds.'),
    fee_points: z.int().min(0).max(10_000).optional().describe('Fee, in hundredths of a percent.'),
  },
  issues: ({ fee_points }) => (fee_points === 13 ? [{ member: 'fee_points', message: 'must not be 13' }] : []),
  decimals: { min: 2, max: 18 },
  endpoints: [
    {
      operationId: 'deployVault',
      path: 'vault/timed',
      mechanism: 'timed',
      summary: 'Deploy a vault',
      description: 'A vault and where to deploy it.',
      example: { args: { total_supply: '1000000', asset: exampleContract } },
    },
  ],
  contracts: { Vault: { own: 'Vault' } },
});
`;

const steps = `import { create, ownSteps, stepId } from '../../../deploy/steps.ts';
import type { TokenStandard } from '../../standard.ts';

export const standard: TokenStandard = {
  type: 'VAULT',
  errorSources: [['vault', 'Vault']],
  steps: (plan, contracts) =>
    plan.networks.map((network) =>
      create(ownSteps(plan, network), {
        name: 'vault',
        title: 'deploys the vault',
        contract: contracts.vault('Vault'),
        args: () => [network.args.asset, network.args.fee_points ?? 0],
      }),
    ),
  result: (_plan, network, known) => ({
    tokenAddress: known.get(network.id, 'vault'),
    extraAddresses: {},
    step: stepId(network, 'vault'),
  }),
};
`;

/** What the copy makes of the standard, as JSON. */
const questions = `import { mkdirSync, writeFileSync } from 'node:fs';
import { operationOf } from '../core/api/operations/operations.ts';
import { detailsOf } from '../core/api/rules/issues.ts';
import { loadTokenContracts } from '../core/deploy/artifacts.ts';
import { standardOf } from '../core/tokens/standards.ts';
import { createTokenHandlers } from '../apiserver/tokens/handlers.ts';
import { contractSuites } from '../hack/contracts/suites.ts';

const asset = '0x' + '11'.repeat(20);
const problemsOf = (args) => {
  const deployments = [{ network_id: 'n', args }];
  const parsed = operationOf('deployVault').body.safeParse({ name: 'V', symbol: 'V', deployments });
  return parsed.success ? [] : detailsOf(parsed.error).map(({ path }) => path);
};
const handlers = createTokenHandlers({ kinds: { networks: {}, tokens: {} } });
mkdirSync('suites');
const abi = [{ type: 'constructor', inputs: [{ type: 'address' }, { type: 'uint256' }] }];
writeFileSync('suites/vault.json', JSON.stringify({ contracts: { Vault: { abi, bytecode: '0x60' } } }));
const accounts = { deployer: asset, service: asset };
const networks = [{ id: 'n', incarnation: 'one', args: { total_supply: '5', asset } }];
const plan = { id: 't', name: 'V', symbol: 'V', decimals: 18, accounts, networks };
const steps = standardOf('VAULT').steps(plan, loadTokenContracts('suites'));
console.log(
  JSON.stringify({
    types: (await handlers.listTokenTypes()).body,
    hasHandler: typeof handlers.deployVault,
    path: operationOf('deployVault').path,
    good: problemsOf({ total_supply: '5', asset, fee_points: 30 }),
    missing: problemsOf({}),
    refused: problemsOf({ total_supply: '5', asset, fee_points: 13 }),
    steps: steps.map(({ network, name, title }) => [network, name, title].join(' ')),
    suite: contractSuites.vault,
  }),
);
`;

describe('a made-up token standard', () => {
  let copy: CopyOfCheckout;
  beforeAll(() => {
    copy = copyOfCheckout();
    const registry = 'core/tokens/registry.ts';
    const registered = copy
      .read(registry)
      .replace('\n\n', "\nimport { vault } from '../vault/definition.ts';\n\n")
      .replace('oft] as const', 'oft, vault] as const');
    mkdirSync(join(copy.folder, 'core/tokens/vault'));
    writeFileSync(join(copy.folder, registry), registered);
    writeFileSync(join(copy.folder, 'core/tokens/vault/definition.ts'), definition);
    writeFileSync(join(copy.folder, 'core/tokens/vault/steps.ts'), steps);
    copy.node('hack/generate/main.ts');
  });
  afterAll(() => copy.remove());

  it('is its folder and its line in the registry: all else that differs is generated', () => {
    expect(copy.changed().sort()).toEqual([
      'charts/slipway/templates/crds/tokens.yaml',
      'core/tokens/registry.ts',
      'crds/tokens.yaml',
      'docs/api.md',
      'docs/openapi.json',
      'docs/sdk.md',
      'docs/tokens.md',
      'sdk/src/generated/tokens.ts',
      'sdk/src/generated/types.ts',
    ]);
  });

  it('has its operation, its request and its args in the documents and in the custom resource', () => {
    const { paths, components } = JSON.parse(copy.read('docs/openapi.json'));
    const operation = paths['/transaction/v1alpha1/transaction/token/vault/timed/deploy'].post;
    expect(operation).toMatchObject({ operationId: 'deployVault', summary: 'Deploy a vault' });
    expect(operation.requestBody.content['application/json']).toMatchObject({
      schema: { $ref: '#/components/schemas/DeployVault' },
      example: { deployments: [{ args: { total_supply: '1000000' } }] },
    });
    const { decimals, deployments } = components.schemas.DeployVault.properties;
    expect(decimals).toMatchObject({ minimum: 2, maximum: 18 });
    expect(deployments.items.properties.args.required).toEqual(['total_supply', 'asset']);
    expect(components.schemas.Token.properties.type.enum).toContain('VAULT');
    expect(copy.read('docs/api.md')).toContain('Deploy a vault');
    expect(copy.read('docs/tokens.md')).toContain('| VAULT | A made-up vault. |');
    const definitionOfTokens = copy.read('crds/tokens.yaml');
    expect(definitionOfTokens).toContain('args.asset is required when spec.type is VAULT');
    expect(definitionOfTokens).toContain('spec.mechanism must be timed when spec.type is VAULT');
    expect(definitionOfTokens).toContain(
      'spec.mechanism must be lock-release or burn-mint when spec.type is CCT',
    );
  });

  it('is validated by named fields, listed among the standards, built and planned', () => {
    writeFileSync(join(copy.folder, 'questions.ts'), questions);
    const args = 'deployments[0].args';
    expect(JSON.parse(copy.node('questions.ts'))).toEqual({
      types: ['ERC20', 'ERC3643', 'CCT', 'OFT', 'VAULT'],
      hasHandler: 'function',
      path: '/v1alpha1/transaction/token/vault/timed/deploy',
      good: [],
      missing: [`${args}.total_supply`, `${args}.asset`],
      refused: [`${args}.fee_points`],
      steps: ['n vault deploys the vault'],
      suite: { Vault: { own: 'Vault' } },
    });
  });

  it('fits the types of all the code', () => {
    const config = {
      extends: './tsconfig.json',
      compilerOptions: { incremental: false },
      include: ['core', 'apiserver', 'operator'],
      exclude: ['**/*.test.ts'],
    };
    writeFileSync(join(copy.folder, 'types.json'), JSON.stringify(config));
    expect(copy.node('node_modules/typescript/bin/tsc', '--project', 'types.json')).toBe('');
  });
});
