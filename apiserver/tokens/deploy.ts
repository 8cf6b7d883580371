import { apiVersion, labels } from '../../core/api/names.ts';
import { tokenType } from '../../core/api/resources/resources.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Token } from '../../core/api/rest/token.ts';
import { maxDeployments } from '../../core/api/rest/tokenDeploy.ts';
import type { DeployOperationId, TokenArgs, TokenEndpoint } from '../../core/api/rules/tokenArgs.ts';
import { compact } from '../../core/lib/compact.ts';
import type { Call, Reply } from '../http/pipeline/handler.ts';
import { markNew } from '../store/catchUp.ts';
import { createOnce } from '../store/createOnce.ts';
import { entryOf } from './deployments.ts';
import type { TokenDeps } from './deps.ts';
import { describeToken, locationOf } from './identity.ts';
import { toToken } from './mapping.ts';
import { findNetworks, type NetworkQuota, networksOf, refuse } from './networks.ts';

/** What the deploy endpoints have in common. */
type DeployCall = Call<DeployOperationId>;

type Standard = Pick<TokenEndpoint, 'type' | 'mechanism'>;

/**
 * Creates the resource and answers at once; the operator deploys. What only a chain can tell (funds, code at an
 * address) is told by the deployments later.
 */
export function deployToken(deps: TokenDeps, standard: Standard) {
  return async (call: DeployCall): Promise<Reply<Token>> => {
    const { principal, idempotencyMark: mark } = call;
    const wanted = wantedOf(call.body);
    const networks = networksOf(await findNetworks(deps, principal.namespace, wanted));
    await deps.findAccount(principal.userId);
    const deployments = networks.map((network, index) => entryOf(network, wanted[index]?.args ?? {}));
    const resource = await markNew(deps.kube, toNewResource(call, standard, deployments));
    const created = await createOnce(deps.kube, { type: tokenType, object: resource, mark });
    deps.cache.observe(created);
    for (const network of networks) deps.touch(network);
    return {
      body: toToken(created, deps.networks),
      location: locationOf(created),
      objects: [describeToken(created)],
    };
  };
}

/** Where to deploy, with which args: further networks take those of the first. */
function wantedOf({
  deployments,
  networks = [],
}: DeployCall['body']): (NetworkQuota & { args: TokenArgs })[] {
  const named = deployments.map(({ network_id, args }, index) => ({
    path: `deployments[${index}].network_id`,
    id: network_id,
    args,
  }));
  const args = deployments[0]?.args ?? {};
  const further = networks
    .map((id, index) => ({ path: `networks[${index}]`, id, args }))
    .filter(({ id }) => !named.some((one) => one.id === id));
  const wanted = [...named, ...further];
  const message = `with those of deployments, at most ${maxDeployments} networks`;
  refuse(wanted.length > maxDeployments ? [{ path: 'networks', message }] : []);
  return wanted;
}

/** A token's name and symbol are any text: the resource gets a name of its own. */
function toNewResource(
  { principal, body: { name, symbol, decimals, spec }, random }: DeployCall,
  { type, mechanism }: Standard,
  deployments: TokenResource['spec']['deployments'],
): TokenResource {
  return {
    apiVersion,
    kind: 'Token',
    metadata: {
      name: `${labelOf(symbol)}-${random('token', 5).toString('hex')}`,
      namespace: principal.namespace,
      labels: { [labels.owner]: principal.userId, [labels.workspace]: principal.workspaceId },
    },
    spec: {
      ...{ name, symbol, decimals, type },
      ...compact({ mechanism }),
      deployments,
      ...compact({ spec }),
    },
  };
}

/** What of a symbol can stand at the beginning of an RFC 1123 label. */
function labelOf(symbol: string): string {
  const label = symbol
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return label === '' ? 'token' : label;
}
