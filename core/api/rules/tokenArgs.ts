import { z } from 'zod';
import type { ArgIssue, DeployEndpoint, TokenDefinition } from '../../tokens/definition.ts';
import { tokenDefinitions } from '../../tokens/registry.ts';
import { checkedAlways } from '../common.ts';

type Definition = (typeof tokenDefinitions)[number];
type Endpoint = Definition['endpoints'][number];

export type TokenType = Definition['type'];
/** Suites of contracts that standards bring, one each. */
export type TokenSuite = Definition['folder'];
export type Mechanism = Extract<Endpoint, { mechanism: string }>['mechanism'];
export type DeployOperationId = Endpoint['operationId'];

/** The members of all standards; each deployment has those of its own standard. */
export type TokenArgs = {
  [Name in ArgName<Definition['args']>]?: ArgOf<Definition['args'], Name> | undefined;
};
type ArgName<Shape> = Shape extends unknown ? keyof Shape : never;
type ArgOf<Shape, Name> = Shape extends unknown
  ? Name extends keyof Shape
    ? Exclude<z.output<Shape[Name]>, undefined>
    : never
  : never;

/** The definitions in their general form. */
const definitions: readonly TokenDefinition[] = tokenDefinitions;

export const tokenTypes: readonly TokenType[] = tokenDefinitions.map(({ type }) => type);
export const tokenSuites: readonly TokenSuite[] = tokenDefinitions.map(({ folder }) => folder);

/** An endpoint that deploys tokens, with what it deploys. */
export interface TokenEndpoint extends DeployEndpoint {
  operationId: DeployOperationId;
  type: TokenType;
  mechanism?: Mechanism;
}

export const deployEndpoints: readonly TokenEndpoint[] = tokenDefinitions.flatMap(({ type, endpoints }) =>
  endpoints.map((endpoint) => ({ ...endpoint, type })),
);

export const mechanisms: readonly Mechanism[] = [
  ...new Set(deployEndpoints.flatMap(({ mechanism = [] }) => mechanism)),
];

export function definitionOf(type: TokenType): TokenDefinition {
  const found = definitions.find((one) => one.type === type);
  if (!found) throw new Error(`no token standard ${type}`);
  return found;
}

/** The mechanisms of one standard; empty when it has none. */
export function mechanismsOf(type: TokenType): Mechanism[] {
  return deployEndpoints.flatMap((one) => (one.type === type && one.mechanism ? [one.mechanism] : []));
}

export const typesWithMechanism = tokenTypes.filter((type) => mechanismsOf(type).length > 0);
export const mechanismDescription = `${typesWithMechanism.join(', ')}: how tokens move between chains.`;

/** Every member that at least one endpoint knows. */
const knownArgs = new Set([...definitions.flatMap(({ args }) => Object.keys(args)), 'networks']);

/** The members that every deployment of `type` must have. */
export function requiredArgs(type: TokenType): string[] {
  return Object.entries(definitionOf(type).args)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name]) => name);
}

/**
 * The args of one standard as REST takes them; `rule` reports what is wrong beyond the shape. A member of another
 * standard is neither validated nor kept (the specification validates only relevant members); a member that no standard
 * knows is refused.
 */
export function tokenArgsSchema(
  shape: z.core.$ZodLooseShape,
  rule: (args: Record<string, unknown>) => ArgIssue[],
): z.ZodType<TokenArgs> {
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

/** The first standard that has a member describes it. */
const allArgs: z.core.$ZodLooseShape = Object.assign({}, ...definitions.map(({ args }) => args).reverse());

/** The args in the custom resource: the members of all standards in one object, as structural schemas require. */
export const tokenArgsResourceSchema: z.ZodType<TokenArgs> = z
  .strictObject(allArgs)
  .partial()
  .describe('Arguments of the deployment, named as in the REST API; which ones apply depends on the type.');
