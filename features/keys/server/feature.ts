import { defineServerFeature } from '../../../apiserver/feature.ts';
import { createServicesOf } from '../../../apiserver/gateway/policy/families.ts';
import { rpcKeyRecordType } from '../api/record.ts';
import { rpcKeyType } from '../api/rpcKey.ts';
import { createRpcKey, listRpcKeys, revokeRpcKey } from './handlers.ts';
import { createNamedKeys } from './namedKeys.ts';
import { answerKnown, createUntilKnown, topic } from './untilKnown.ts';

export const feature = defineServerFeature({
  create(surroundings) {
    const { kube, clock, kinds, watch, accessKeys, installation } = surroundings;
    const known = { keys: watch(rpcKeyType), records: watch(rpcKeyRecordType), accessKeys };
    const answer = answerKnown(known);
    const deps = {
      kube,
      clock,
      keys: known.keys,
      find: kinds.networks.find,
      servicesOf: createServicesOf(installation.solana),
      untilKnown: createUntilKnown(surroundings, answer),
    };
    return {
      handlers: {
        listRpcKeys: listRpcKeys(deps),
        createRpcKey: createRpcKey(deps),
        revokeRpcKey: revokeRpcKey(deps),
      },
      namedKeys: createNamedKeys(known),
      answersReplicas: { [topic]: answer },
    };
  },
});
