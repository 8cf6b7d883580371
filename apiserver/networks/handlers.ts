import type { Handlers } from '../http/pipeline/handler.ts';
import { listChainTypes } from './chainTypes.ts';
import { createNetwork } from './create.ts';
import type { NetworkDeps } from './deps.ts';
import { listNetworks } from './list.ts';
import { getNetworkLogs } from './logs/getNetworkLogs.ts';
import { stopNetwork, wakeNetwork } from './power.ts';
import { getNetwork, getNetworkEndpoints } from './read.ts';
import { deleteNetwork } from './remove.ts';
import { replaceNetwork } from './replace.ts';
import { rotateNetworkKeys } from './rotateKeys.ts';

/** The handlers of all network operations. */
export function createNetworkHandlers(deps: NetworkDeps) {
  return {
    createNetwork: createNetwork(deps),
    listNetworks: listNetworks(deps),
    listChainTypes: listChainTypes(deps),
    getNetwork: getNetwork(deps),
    getNetworkEndpoints: getNetworkEndpoints(deps),
    replaceNetwork: replaceNetwork(deps),
    deleteNetwork: deleteNetwork(deps),
    rotateNetworkKeys: rotateNetworkKeys(deps),
    getNetworkLogs: getNetworkLogs(deps),
    stopNetwork: stopNetwork(deps),
    wakeNetwork: wakeNetwork(deps),
  } satisfies Handlers;
}
