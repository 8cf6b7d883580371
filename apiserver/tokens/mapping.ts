import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import type { Token } from '../../core/api/rest/token.ts';
import { labelMetaOf, readLabel } from '../../core/api/userLabels.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { parseRfc3339, toRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { updatedAtAnnotation } from '../networks/mapping.ts';
import type { ObjectCache } from '../store/cache.ts';
import { deploymentsOf } from './deployments.ts';
import { idOf, ownerOf } from './identity.ts';

/** The Token of REST with its deployments, in the order in which they were requested. */
export function toToken(
  resource: Stored<TokenResource>,
  networks: Pick<ObjectCache<NetworkResource>, 'byName'>,
): Token {
  const { metadata, spec } = resource;
  const updatedAt = updatedAtOf(resource);
  return {
    kind: 'Token',
    version: 'v1alpha1',
    id: idOf(resource),
    user_id: ownerOf(resource) ?? '',
    name: spec.name,
    symbol: spec.symbol,
    decimals: spec.decimals,
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

/** Deployments may differ; wrapped tokens have no supply of their own. */
function totalSupplyOf({ spec }: Stored<TokenResource>): string {
  const first = spec.deployments.find(({ args }) => args?.total_supply !== undefined);
  return first?.args?.total_supply ?? '0';
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
