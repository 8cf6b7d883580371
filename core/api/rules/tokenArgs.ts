import { z } from 'zod';
import { checkedAlways } from '../common.ts';
import { addressSchema, supplySchema } from '../values.ts';

export const tokenTypes = ['ERC20', 'ERC3643', 'CCT', 'OFT'] as const;
export type TokenType = (typeof tokenTypes)[number];

export const mechanisms = ['lock-release', 'burn-mint'] as const;
export type Mechanism = (typeof mechanisms)[number];

const totalSupply = supplySchema.describe('Total supply, in smallest units.');
const initialSupply = supplySchema.describe('Amount minted at deployment, in smallest units.');

/** The args of one deployment, by standard. The custom resource holds the same members under the same names. */
export const tokenArgShapes = {
  ERC20: {
    total_supply: totalSupply.describe('Total supply, in smallest units: the most that may ever be minted.'),
    initial_supply: initialSupply
      .optional()
      .describe('Amount minted at deployment, in smallest units. Omitted: all of total_supply.'),
    owner: addressSchema
      .optional()
      .describe('Address that owns the token and receives the supply. Omitted: the deployer.'),
  },
  CCT: {
    total_supply: totalSupply
      .optional()
      .describe('Total supply. Required in fresh mode; omitted when an existing token is wrapped.'),
    underlying_token_address: addressSchema
      .optional()
      .describe('Existing token to wrap. Omitted: fresh mode, which deploys a new token.'),
    liquidity: z
      .number()
      .min(0)
      .refine(Number.isInteger, 'use a whole number: smallest units of the token')
      .optional()
      .describe(
        'Fresh mode, lock-release only: initial pool liquidity on that chain, in smallest units, out of total_supply.',
      ),
    recipient: z
      .string()
      .regex(/^(0x[0-9a-fA-F]{40})?$/, 'use an address: 0x and 40 hexadecimal digits')
      .optional()
      .describe(
        'Fresh mode, burn-mint only: receives the initial supply on that chain. Empty: the deployer.',
      ),
    initial_supply: initialSupply
      .optional()
      .describe(
        'Fresh mode only: amount minted at deployment, in smallest units. Omitted: all of total_supply that is not liquidity.',
      ),
  },
  ERC3643: {
    total_supply: totalSupply,
    compliance_registry: addressSchema.describe(
      'Address of a ModularCompliance or an IdentityRegistry of T-REX. The zero address: new ones are deployed.',
    ),
    transfer_restrictions: z
      .boolean()
      .optional()
      .describe('Enables the default transfer checks: transfers only from or to those on an allow list.'),
  },
  OFT: {
    total_supply: totalSupply,
    layer_zero_endpoint: addressSchema.describe('Address of the LayerZero endpoint.'),
    adapter_parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Parameters of the adapter, e.g. lz_fee. Kept and answered; the endpoint alone sets fees.'),
  },
} as const satisfies Record<TokenType, z.core.$ZodLooseShape>;

const shapes: Record<TokenType, Record<string, z.ZodType>> = tokenArgShapes;

/** Every member that some standard knows. */
const knownArgs = new Set(Object.values(shapes).flatMap((shape) => Object.keys(shape)));

/** The members that each deployment of `type` must carry. */
export function requiredArgs(type: TokenType): string[] {
  return Object.entries(shapes[type])
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => name);
}

/** A member of a deployment's args that is wrong, and what to do. */
export interface ArgIssue {
  member: string;
  message: string;
}

/**
 * The args of one standard as REST takes them; `rule` names what is wrong beyond the shape. A member of another
 * standard is not validated and falls away (the contract validates only what is relevant); one that no standard
 * knows is refused.
 */
export function tokenArgsSchema<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  rule: (args: Record<string, unknown>) => ArgIssue[] = () => [],
) {
  return z
    .looseObject(shape)
    .superRefine((args, context) => {
      const unknown = Object.keys(args)
        .filter((key) => !knownArgs.has(key))
        .map((member) => ({ member, message: 'no token standard knows this member' }));
      for (const { member, message } of [...unknown, ...rule(args)]) {
        context.addIssue({ code: 'custom', path: [member], message, input: args });
      }
    }, checkedAlways)
    .transform((args) => z.object(shape).parse(args));
}

/** The args in the custom resource: all members of all standards, flat, as structural schemas demand. */
export const tokenArgsResourceSchema = z
  .strictObject({
    ...tokenArgShapes.OFT,
    ...tokenArgShapes.ERC3643,
    ...tokenArgShapes.CCT,
    ...tokenArgShapes.ERC20,
  })
  .partial()
  .describe('Arguments of the deployment, named as in the REST API; which ones apply depends on the type.');
export type TokenArgs = z.infer<typeof tokenArgsResourceSchema>;
