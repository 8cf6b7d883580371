import { createReflector } from '../../../core/kube/cache/reflector.ts';
import type { OperatorFeature } from '../../../operator/feature.ts';
import { rpcKeyRecordType } from '../api/record.ts';
import { type RpcKeyResource, rpcKeyType } from '../api/rpcKey.ts';
import { createKeyController } from './controller.ts';

export const feature: OperatorFeature = {
  open(options) {
    const indexes = { namespace: ({ metadata }: RpcKeyResource) => [metadata.namespace] };
    const keys = createReflector({ ...options, type: rpcKeyType, indexes });
    const records = createReflector({ ...options, type: rpcKeyRecordType });
    return {
      caches: [keys, records],
      connect({ kube, networks: { networks }, installation, keys: { access }, clock, log }) {
        const caches = { keys, records, networks };
        const deps = { kube, caches, installation, accessKeys: access, clock, log };
        return (settings) => [createKeyController(deps, settings)];
      },
    };
  },
};
