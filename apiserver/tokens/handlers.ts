import { deployEndpoints } from '../../core/api/rules/tokenArgs.ts';
import type { Clock } from '../../core/lib/clock.ts';
import { recordOf } from '../../core/lib/typed.ts';
import type { Touch } from '../../core/networks/activity.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import type { Handlers } from '../http/pipeline/handler.ts';
import type { Store } from '../store/kubeErrors.ts';
import type { StoredKinds } from '../store/storedKinds.ts';
import { addDeployments } from './add.ts';
import { deployToken } from './deploy.ts';
import type { TokenDeps } from './deps.ts';
import { getDeployment, getToken, listDeployments, listTokens, listTokenTypes } from './read.ts';
import { deleteDeployment, deleteToken } from './remove.ts';

export interface TokenHandlersOptions {
  kube: Store;
  kinds: Pick<StoredKinds, 'networks' | 'tokens'>;
  /** Finds the account whose key signs, and the running nodes of networks. */
  transactions: Pick<TokenDeps, 'findAccount' | 'presentNode'>;
  touch: Touch;
  cursors: Cursors;
  clock: Clock;
}

/** The handlers of all token operations. */
export function createTokenHandlers({ kinds, transactions, ...common }: TokenHandlersOptions) {
  const deps: TokenDeps = {
    ...common,
    ...kinds.tokens,
    networks: kinds.networks.cache,
    findNetwork: kinds.networks.find,
    findAccount: transactions.findAccount,
    presentNode: transactions.presentNode,
  };
  return {
    ...recordOf(deployEndpoints.map((one) => [one.operationId, deployToken(deps, one)])),
    addDeployments: addDeployments(deps),
    listTokenTypes: listTokenTypes(),
    listTokens: listTokens(deps),
    getToken: getToken(deps),
    deleteToken: deleteToken(deps),
    listDeployments: listDeployments(deps),
    getDeployment: getDeployment(deps),
    deleteDeployment: deleteDeployment(deps),
  } satisfies Handlers;
}
