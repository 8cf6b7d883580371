import { z } from 'zod';
import { checkedAlways } from '../common.ts';
import { cctIssues } from '../rules/cctRules.ts';
import { erc20Issues } from '../rules/supplyRules.ts';
import {
  type Mechanism,
  type TokenArgs,
  type TokenType,
  tokenArgShapes,
  tokenArgsSchema,
} from '../rules/tokenArgs.ts';
import { idSchema } from '../values.ts';
import { tokenFields } from './token.ts';

/** How many networks one token may be deployed on. */
export const maxDeployments = 64;

const common = {
  name: tokenFields.name,
  symbol: tokenFields.symbol,
};

/** Indexes of the ids that stand further ahead already; of what is no list of them, none. */
function repeated(ids: unknown): number[] {
  if (!Array.isArray(ids)) return [];
  return [...ids.keys()].filter((index) => ids[index] !== undefined && ids.indexOf(ids[index]) < index);
}

function namedTwice(path: (string | number)[], input: unknown) {
  return { code: 'custom', path, message: 'this network is named twice', input } as const;
}

/** Ids of networks, each named once. */
const networkIdsSchema = z
  .array(idSchema)
  .max(maxDeployments)
  .superRefine((ids, context) => {
    for (const index of repeated(ids)) context.addIssue(namedTwice([index], ids));
  }, checkedAlways);

function deploymentsOf<Args extends z.ZodType>(args: Args) {
  const entry = z.strictObject({ network_id: idSchema.describe('Network to deploy on.'), args });
  return z
    .array(entry)
    .max(maxDeployments)
    .superRefine((entries, context) => {
      const ids = Array.isArray(entries) ? entries.map((one) => one?.network_id) : [];
      for (const index of repeated(ids)) context.addIssue(namedTwice([index, 'network_id'], entries));
    }, checkedAlways)
    .describe('Networks to deploy on, with the args of each.');
}

/** What the contracts of a standard take beyond a byte. */
export const decimalRanges: Record<TokenType, { min: number; max: number }> = {
  ERC20: { min: 0, max: 255 },
  ERC3643: { min: 0, max: 18 },
  CCT: { min: 0, max: 255 },
  /** Messages of LayerZero's OFT count in millionths. */
  OFT: { min: 6, max: 255 },
};

const decimalsOf = (type: TokenType) => {
  const { min, max } = decimalRanges[type];
  return z.int().min(min).max(max).default(18).describe('Decimal places.');
};

const argsOf = {
  ERC20: tokenArgsSchema(tokenArgShapes.ERC20, erc20Issues),
  ERC3643: tokenArgsSchema(tokenArgShapes.ERC3643),
  OFT: tokenArgsSchema(tokenArgShapes.OFT),
};

const cctArgsOf = (mechanism: Mechanism) =>
  tokenArgsSchema(tokenArgShapes.CCT, (args) => cctIssues(mechanism, args));

/** The args of one deployment as REST takes them; `mechanism` is that of a CCT token. */
export function deploymentArgsSchema(
  type: TokenType,
  mechanism: Mechanism = 'lock-release',
): z.ZodType<TokenArgs> {
  return type === 'CCT' ? cctArgsOf(mechanism) : argsOf[type];
}

const settings = tokenFields.spec.optional();

export const deployErc20Schema = z
  .strictObject({
    ...common,
    decimals: decimalsOf('ERC20'),
    deployments: deploymentsOf(argsOf.ERC20).min(1),
    spec: settings,
  })
  .describe('An ERC20 token and where to deploy it.');

export const deployErc3643Schema = z
  .strictObject({
    ...common,
    decimals: decimalsOf('ERC3643'),
    deployments: deploymentsOf(argsOf.ERC3643).min(1),
    spec: settings,
  })
  .describe('An ERC3643 token and where to deploy it.');

const oftSpecSchema = z
  .looseObject({
    layer_zero_endpoint: tokenArgShapes.OFT.layer_zero_endpoint.optional(),
    adapter_parameters: tokenArgShapes.OFT.adapter_parameters,
  })
  .describe('Settings of the token.');

export const deployOftSchema = z
  .strictObject({
    ...common,
    decimals: decimalsOf('OFT'),
    deployments: deploymentsOf(argsOf.OFT).min(1),
    spec: oftSpecSchema.optional(),
  })
  .describe('An OFT token and where to deploy it.');

function cctDeployments(mechanism: Mechanism) {
  return deploymentsOf(cctArgsOf(mechanism));
}

export const deployCctLockReleaseSchema = z
  .strictObject({
    ...common,
    decimals: decimalsOf('CCT'),
    deployments: cctDeployments('lock-release').min(1),
    spec: settings,
  })
  .describe('A cross-chain token with lock-release pools.');

export const deployCctBurnMintSchema = z
  .strictObject({
    ...common,
    decimals: decimalsOf('CCT'),
    deployments: cctDeployments('burn-mint').min(1),
    networks: networkIdsSchema
      .optional()
      .describe('Further networks; each takes the args of the first deployment.'),
    spec: settings,
  })
  .describe('A cross-chain token with burn-mint pools.');

/** The args depend on the token's standard; they are checked against it once the token is read. */
export const addDeploymentsSchema = z
  .strictObject({
    networks: networkIdsSchema.min(1).describe('Networks to deploy on.'),
    args: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Args of each new deployment, as the deploy endpoint of the standard takes them.'),
  })
  .describe('Further networks for a token.');
