import { annotations, apiVersion, labels } from '../../core/api/names.ts';
import { tokenType } from '../../core/api/resources/resources.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Token } from '../../core/api/rest/token.ts';
import { type DeployArgs, maxDeployments } from '../../core/api/rest/tokenDeploy.ts';
import type { DeployOperationId, TokenArgs, TokenEndpoint } from '../../core/api/rules/tokenArgs.ts';
import { entryOf } from '../../core/api/views/deployments.ts';
import { askedSupplyOf, toToken } from '../../core/api/views/tokenView.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Call, Reply } from '../http/pipeline/handler.ts';
import { createOnce } from '../store/createOnce.ts';
import type { TokenDeps } from './deps.ts';
import { describeToken, locationOf } from './identity.ts';
import { findNetworks, type NamedNetwork, networksOf, refuse } from './networks.ts';

/** The common part of the deploy endpoints. */
type DeployCall = Call<DeployOperationId>;

type Standard = Pick<TokenEndpoint, 'type' | 'mechanism'>;

/**
 * Creates the resource and answers immediately; the operator deploys. Facts that only the chain knows (funds, code at
 * an address) are reported later in the deployments.
 */
export function deployToken(deps: TokenDeps, standard: Standard) {
  return async (call: DeployCall): Promise<Reply<Token>> => {
    const { principal, idempotencyMark: mark } = call;
    const requested = requestedIn(call.body);
    const networks = networksOf(await findNetworks(deps, principal.namespace, requested));
    await deps.findAccount(principal.userId);
    const deployments = networks.map((network, index) => entryOf(network, requested[index]?.args ?? {}));
    const resource = toNewResource(call, standard, deployments);
    const created = await createOnce(deps.kube, { type: tokenType, object: resource, mark });
    for (const network of networks) deps.touch(network);
    return {
      body: toToken(created, deps.networks),
      location: locationOf(created),
      objects: [describeToken(created)],
      ...compact({ warning: warningAbout(call.body) }),
    };
  };
}

/** Standards have no further settings. */
function warningAbout({ spec = {} }: DeployCall['body']): string | undefined {
  const names = Object.keys(spec).map((name) => `spec.${name}`);
  if (names.length === 0) return undefined;
  return `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ' and others' : ''}: stored with the token, without an effect on its contracts`;
}

const maxNamed = 5;

type RequestedDeployment = NamedNetwork & { args: TokenArgs };

const ownArgsOf = ({ networks: _, ...args }: DeployArgs): TokenArgs => args;

function furtherOf(args: DeployArgs, path: string): RequestedDeployment[] {
  return (args.networks ?? []).map((id, index) => ({ path: `${path}[${index}]`, id, args: ownArgsOf(args) }));
}

/** The networks to deploy on, with their args; `networks` use the args of the first deployment. */
function requestedIn({ deployments, networks = [] }: DeployCall['body']): RequestedDeployment[] {
  const named = deployments.map(({ network_id, args }, index) => ({
    path: `deployments[${index}].network_id`,
    id: network_id,
    args: ownArgsOf(args),
  }));
  const further = [
    ...deployments.flatMap(({ args }, index) => furtherOf(args, `deployments[${index}].args.networks`)),
    ...furtherOf({ ...deployments[0]?.args, networks }, 'networks'),
  ];
  const requested = [...named, ...further].filter(
    ({ id }, at, all) => all.findIndex((one) => one.id === id) === at,
  );
  const message = `too many networks: name at most ${maxDeployments}, including those in deployments`;
  refuse(requested.length > maxDeployments ? [{ path: 'networks', message }] : []);
  return requested;
}

/** The name and symbol of a token can be any text, so the name of the resource is generated. */
function toNewResource(
  { principal, body: { name, symbol, decimals, spec, metadata }, random }: DeployCall,
  { type, mechanism }: Standard,
  deployments: TokenResource['spec']['deployments'],
): TokenResource {
  return {
    apiVersion,
    kind: 'Token',
    metadata: {
      name: `${labelOf(symbol)}-${random('token', 5).toString('hex')}`,
      namespace: principal.namespace,
      annotations: compact({ [annotations.totalSupply]: askedSupplyOf({ deployments }) }),
      labels: {
        ...metadata?.labels,
        [labels.owner]: principal.userId,
        [labels.workspace]: principal.workspaceId,
      },
    },
    spec: {
      name,
      symbol,
      decimals,
      type,
      ...compact({ mechanism }),
      deployments,
      ...compact({ spec }),
    },
  };
}

/** The part of a symbol that is valid at the beginning of an RFC 1123 label. */
function labelOf(symbol: string): string {
  const label = symbol
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return label === '' ? 'token' : label;
}
