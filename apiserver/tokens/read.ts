import { operations } from '../../core/api/operations/operations.ts';
import type { TokenResource } from '../../core/api/resources/tokenResource.ts';
import { tokenTypes } from '../../core/api/rules/tokenArgs.ts';
import { deploymentsOf, knowsItsNetworks } from '../../core/api/views/deployments.ts';
import { readTokenField, toToken } from '../../core/api/views/tokenView.ts';
import type { Stored } from '../../core/kube/kube.ts';
import { keptBytes } from '../../core/lib/keptBytes.ts';
import { listPage } from '../http/paging/list.ts';
import type { Clause } from '../http/paging/selector.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import { notFound } from '../store/find.ts';
import type { TokenDeps } from './deps.ts';
import { describeToken, isOwn } from './identity.ts';

export function listTokenTypes(): Handler<'listTokenTypes'> {
  return async () => ({ body: [...tokenTypes] });
}

export function getToken({ find, networks }: TokenDeps): Handler<'getToken'> {
  return async ({ principal, params }) => {
    const resource = await find(principal.namespace, params.token_id);
    return { body: toToken(resource, networks), objects: [describeToken(resource)] };
  };
}

/** The caller's tokens, and those that belong to the whole workspace, ordered by the name of the resource. */
export function listTokens(deps: TokenDeps): Handler<'listTokens'> {
  // Objects in the cache are replaced, never modified, so their JSON stays valid.
  const jsonOf = new WeakMap<TokenResource, Buffer>();
  const toJson = (resource: Stored<TokenResource>): Buffer => {
    const json = jsonOf.get(resource) ?? keptBytes(JSON.stringify(toToken(resource, deps.networks)));
    if (knowsItsNetworks(resource)) jsonOf.set(resource, json);
    return json;
  };
  return async ({ principal, query }) => {
    const { type, name, symbol, ...list } = query ?? {};
    const { json } = listPage(
      {
        kind: 'TokenList',
        version: 'v1alpha1',
        endpoint: 'listTokens',
        principal,
        query: list,
        filters: clausesOf({ type, name, symbol }),
        selectable: operations.listTokens.selectable,
        itemsFor: () => deps.cache.inNamespace(principal.namespace).filter((one) => isOwn(one, principal)),
        keyOf: ({ metadata }) => metadata.name,
        readField: readTokenField,
        toJson,
      },
      deps.cursors,
    );
    return { json };
  };
}

/** The deployments of a token, ordered by network id. */
export function listDeployments({ find, networks, cursors }: TokenDeps): Handler<'listDeployments'> {
  return async ({ principal, params, query }) => {
    const resource = await find(principal.namespace, params.token_id);
    const { json } = listPage(
      {
        kind: 'DeploymentList',
        version: 'v1alpha1',
        endpoint: `listDeployments/${params.token_id}`,
        principal,
        query,
        selectable: [],
        itemsFor: () =>
          deploymentsOf(resource, networks).sort((a, b) => (a.network_id < b.network_id ? -1 : 1)),
        keyOf: ({ network_id }) => network_id,
        readField: () => undefined,
        toJson: (deployment) => JSON.stringify(deployment),
      },
      cursors,
    );
    return { json, objects: [describeToken(resource)] };
  };
}

export function getDeployment({ find, networks }: TokenDeps): Handler<'getDeployment'> {
  return async ({ principal, params }) => {
    const resource = await find(principal.namespace, params.token_id);
    const found = deploymentsOf(resource, networks).find(
      ({ network_id }) => network_id === params.network_id,
    );
    if (!found) throw notFound('Deployment');
    return { body: found, objects: [describeToken(resource)] };
  };
}

function clausesOf(fields: Record<string, string | undefined>): Clause[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, operator: '==', value }],
  );
}
