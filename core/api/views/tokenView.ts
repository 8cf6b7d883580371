import { parseRfc3339, toRfc3339 } from '../../lib/clock.ts';
import { compact } from '../../lib/compact.ts';
import { idOf } from '../ids.ts';
import { annotations, labels } from '../names.ts';
import type { Stored } from '../resources/kubeObject.ts';
import type { TokenResource } from '../resources/tokenResource.ts';
import type { Token } from '../rest/token.ts';
import { labelMetaOf, readLabel } from '../userLabels.ts';
import { decimalsOf, deploymentsOf, statusOf } from './deployments.ts';
import type { NetworksByName } from './networksByName.ts';
import { updatedAtAnnotation } from './networkView.ts';

/** The Token of REST with its deployments, in the order in which they were requested. */
export function toToken(resource: Stored<TokenResource>, networks: NetworksByName): Token {
  const { metadata, spec } = resource;
  const updatedAt = updatedAtOf(resource);
  return {
    kind: 'Token',
    version: 'v1alpha1',
    id: idOf(resource),
    user_id: metadata.labels?.[labels.owner] ?? '',
    name: spec.name,
    symbol: spec.symbol,
    decimals: decimalsOfAll(resource),
    total_supply: totalSupplyOf(resource),
    type: spec.type,
    ...compact({ mechanism: spec.mechanism, spec: spec.spec }),
    ...labelMetaOf(resource),
    created_at: metadata.creationTimestamp,
    ...compact({ updated_at: updatedAt }),
    deployments: deploymentsOf(resource, networks),
  };
}

/** A selectable field as text. */
export function readTokenField(resource: Stored<TokenResource>, field: string): string | undefined {
  const { spec } = resource;
  if (field === 'type') return spec.type;
  if (field === 'name') return spec.name;
  return field === 'symbol' ? spec.symbol : readLabel(resource, field);
}

/** Those of the first deployment that is known; a fresh one has the token's own. */
function decimalsOfAll(resource: Stored<TokenResource>): number {
  const { deployments, decimals } = resource.spec;
  const isWrapped = deployments.every(({ args }) => args?.underlying_token_address !== undefined);
  const known = deployments.map((entry) => statusOf(resource, entry)).find((one) => one?.extraAddresses);
  return isWrapped ? decimalsOf(resource, known) : decimals;
}

/** What was asked for when the token was created, whatever became of the deployments since. */
function totalSupplyOf({ metadata, spec }: Stored<TokenResource>): string {
  return metadata.annotations?.[annotations.totalSupply] ?? askedSupplyOf(spec) ?? '0';
}

/** The total supply that deployments ask for. They may differ; wrapped tokens have no supply of their own. */
export function askedSupplyOf({
  deployments,
}: Pick<TokenResource['spec'], 'deployments'>): string | undefined {
  return deployments.find(({ args }) => args?.total_supply !== undefined)?.args?.total_supply;
}

/** The latest of: creation, a change over REST, a change of the status. */
function updatedAtOf({ metadata, status }: Stored<TokenResource>): string | undefined {
  const candidates = [
    metadata.creationTimestamp,
    metadata.annotations?.[updatedAtAnnotation],
    status?.updatedAt,
    ...(status?.conditions ?? []).map((condition) => condition.lastTransitionTime),
  ];
  const timesMs = candidates.map(parseRfc3339).filter((timeMs) => timeMs !== undefined);
  return timesMs.length === 0 ? undefined : toRfc3339(Math.max(...timesMs));
}
