import type { Access } from '../../../core/accounts/accessKeys.ts';
import { featureServices } from '../../../core/api/features.ts';
import { lightAssist } from '../light/assists.ts';
import { computesLight, keepsLight } from '../light/computing.ts';
import { costlyTrace } from '../light/costlyTraces.ts';
import { lightAbsence, lightFaultOf } from '../light/faults.ts';
import { lightIdFault } from '../light/ids.ts';
import { evmAnswerWeight } from './answerWeights.ts';
import { evmBlockUse } from './blockUse.ts';
import { evmMethodAccess, evmRefusalReason, namedMethods } from './evmMethods.ts';
import { blockGasFault, maxCallGas, withGasCap } from './gasCap.ts';
import { evmListFault } from './listLimits.ts';
import type { JsonRpcPolicy, ServicePolicy } from './policy.ts';
import { evmRewrite } from './rewrite.ts';
import { evmSubscription } from './subscriptions.ts';

type EvmJsonRpc = Omit<JsonRpcPolicy, 'ports' | 'needs' | 'hasHttp'> &
  Required<Pick<JsonRpcPolicy, 'faultOf' | 'rewrite'>>;

/** JSON-RPC as every EVM client serves it. */
export const evmJsonRpc: EvmJsonRpc = {
  kind: 'jsonRpc',
  methodAccess: evmMethodAccess,
  named: namedMethods,
  refusalReason: evmRefusalReason,
  blockUse: evmBlockUse,
  faultOf: (method, text) => evmListFault(method, text) ?? blockGasFault(method, text),
  rewrite: (method, text) => evmRewrite(method, text) ?? withGasCap(method, text, maxCallGas.admin),
  answerWeight: evmAnswerWeight,
  subscription: evmSubscription,
  isRepeatable: (method: string) => repeatable.test(method),
};

/** Reads that leave no state in the node. Filters do: polling a filter consumes its events. */
const repeatable =
  /^(net|web3|trace|ots|txpool)_|^debug_trace|^eth_(chainId|blockNumber|call|estimateGas|gasPrice|maxPriorityFeePerGas|blobBaseFee|feeHistory|syncing|accounts|createAccessList|simulateV1|get(?!Filter|Work).*)$/;

const ownServices = featureServices.flatMap(({ name, urls }) =>
  Object.entries(urls).map(([url, below]): [string, ServicePolicy] => [
    url,
    { kind: 'own', service: name, ports: ['rpc'], needs: 'public', below },
  ]),
);

/** The services of EVM networks by their name in URLs. A node without a WebSocket port serves WebSocket on `rpc`. */
const servicesOf = (evm: (needs: Access) => EvmJsonRpc): ReadonlyMap<string, ServicePolicy> =>
  new Map<string, ServicePolicy>([
    ['rpc', { ...evm('public'), ports: ['rpc'], needs: 'public', hasHttp: true }],
    ['ws', { ...evm('public'), ports: ['ws', 'rpc'], needs: 'public', hasHttp: false }],
    ['admin', { ...evm('admin'), ports: ['rpc'], needs: 'admin', hasHttp: true }],
    ['admin-ws', { ...evm('admin'), ports: ['ws', 'rpc'], needs: 'admin', hasHttp: false }],
    ...ownServices,
  ]);

/** Of networks whose nodes are clients of the public chain: with participants, or with the profile `real`. */
export const evmClientServices = servicesOf(() => evmJsonRpc);
const lightJsonRpc = (needs: Access): EvmJsonRpc => ({
  ...evmJsonRpc,
  rewrite: (method, text) => evmRewrite(method, text) ?? withGasCap(method, text, maxCallGas[needs]),
  computes: computesLight,
  // What executes contracts has room of its own.
  answerWeight: (method, text) => (computesLight(method) ? 0 : evmAnswerWeight(method, text)),
  keeps: keepsLight,
  methodAccess(method, text) {
    if (lightAbsence(method) !== undefined) return 'never';
    return costlyTrace(method, text) === undefined ? evmMethodAccess(method) : 'admin';
  },
  refusalReason: (method, text) =>
    lightAbsence(method) ?? costlyTrace(method, text) ?? evmRefusalReason(method),
  faultOf: (method, text) => evmJsonRpc.faultOf(method, text) ?? lightFaultOf(method, text),
  assist: lightAssist,
  idFault: lightIdFault,
});

/** Of the others, whose node is an anvil. */
export const evmServices = servicesOf(lightJsonRpc);
