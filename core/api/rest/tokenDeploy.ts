import { z } from 'zod';
import { compact } from '../../lib/compact.ts';
import { isPlainObject } from '../../lib/json/members.ts';
import type { DeployEndpoint, TokenDefinition } from '../../tokens/definition.ts';
import { checkedAlways, labelMetaSchema } from '../common.ts';
import { settingIssues, withSettings } from '../rules/settingArgs.ts';
import {
  definitionOf,
  deployEndpoints,
  type Mechanism,
  type TokenArgs,
  type TokenType,
  tokenArgsSchema,
} from '../rules/tokenArgs.ts';
import type { UserLabels } from '../userLabels.ts';
import { idSchema } from '../values.ts';
import { tokenFields } from './token.ts';

/** How many networks one token may be deployed on. */
export const maxDeployments = 64;

/** The args of a deployment; further networks may be named among them. */
export type DeployArgs = TokenArgs & { networks?: string[] | undefined };

/** The body of every deploy endpoint, after validation. */
export interface DeployRequest {
  name: string;
  symbol: string;
  decimals: number;
  deployments: { network_id: string; args: DeployArgs }[];
  networks?: string[] | undefined;
  spec?: Record<string, unknown> | undefined;
  metadata?: { labels?: UserLabels | undefined } | undefined;
}

/** Indexes of the ids that an earlier entry has already; none when `ids` is not a list. */
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

function deploymentsOf(args: z.ZodType<DeployArgs>) {
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

const furtherNetworks: z.core.$ZodLooseShape = {
  networks: networkIdsSchema
    .optional()
    .describe(
      'Further networks; each gets the args of the first deployment, or of the deployment that names it.',
    ),
};

function argsSchemaOf({ args, issues }: TokenDefinition, { mechanism, takesNetworks }: DeployEndpoint) {
  const shape = takesNetworks ? { ...args, ...furtherNetworks } : args;
  return tokenArgsSchema(shape, (given) => issues?.(given, mechanism) ?? []);
}

const argsSchemas = deployEndpoints.map((endpoint) => ({
  endpoint,
  schema: argsSchemaOf(definitionOf(endpoint.type), endpoint),
}));

function bodySchema({ endpoint, schema }: (typeof argsSchemas)[number]): z.ZodType<DeployRequest> {
  const definition = definitionOf(endpoint.type);
  const { decimals, settings } = definition;
  const body = z
    .strictObject({
      name: tokenFields.name,
      symbol: tokenFields.symbol,
      decimals: z.int().min(decimals.min).max(decimals.max).default(18).describe('Decimal places.'),
      deployments: deploymentsOf(schema).min(1),
      ...(endpoint.takesNetworks ? furtherNetworks : {}),
      spec: (settings ?? tokenFields.spec).optional(),
      metadata: labelMetaSchema.optional(),
    })
    .superRefine(({ deployments, spec }, context) => {
      for (const [index, entry] of (Array.isArray(deployments) ? deployments : []).entries()) {
        for (const { member, message } of settingIssues(definition, entry?.args, spec)) {
          context.addIssue({
            code: 'custom',
            path: ['deployments', index, 'args', member],
            message,
            input: entry,
          });
        }
      }
    }, checkedAlways);
  return z
    .preprocess((given) => relevantPart(given, definition, endpoint), body)
    .describe(endpoint.description);
}

/** The body without what belongs to other endpoints, and with the defaults that `spec` has for args. */
function relevantPart(
  given: unknown,
  definition: TokenDefinition,
  { takesNetworks }: DeployEndpoint,
): unknown {
  if (!isPlainObject(given)) return given;
  const { networks, deployments, ...rest } = given;
  const entries = Array.isArray(deployments)
    ? deployments.map((entry) => withDefaults(entry, definition, given.spec))
    : deployments;
  return { ...rest, ...compact({ deployments: entries, networks: takesNetworks ? networks : undefined }) };
}

function withDefaults(entry: unknown, definition: TokenDefinition, settings: unknown): unknown {
  if (!isPlainObject(entry)) return entry;
  const { args = {} } = entry;
  return isPlainObject(args) ? { ...entry, args: withSettings(definition, args, settings) } : entry;
}

/** The deploy endpoints, each with the schema of its body. */
export const deployRequests = argsSchemas.map((one) => ({ endpoint: one.endpoint, body: bodySchema(one) }));

/** The args of one deployment as REST accepts them; without a mechanism, those of the standard's first endpoint. */
export function deploymentArgsSchema(type: TokenType, mechanism?: Mechanism): z.ZodType<DeployArgs> {
  const own = argsSchemas.filter(({ endpoint }) => endpoint.type === type);
  const found = own.find(({ endpoint }) => endpoint.mechanism === mechanism) ?? own[0];
  if (!found) throw new Error(`no endpoint deploys ${type}`);
  return found.schema;
}

/** The args depend on the token's standard; they are checked against it once the token is read. */
export const addDeploymentsSchema = z
  .strictObject({
    networks: networkIdsSchema.min(1).describe('Networks to deploy on.'),
    args: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Args of each new deployment, as for the deploy endpoint of the standard.'),
  })
  .describe('Further networks for a token.');
