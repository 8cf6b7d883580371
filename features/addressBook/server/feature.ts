import { defineServerFeature } from '../../../apiserver/feature.ts';
import { addressNameType } from '../api/addressName.ts';
import { listAddresses, removeAddress, setAddress } from './handlers.ts';

export const feature = defineServerFeature({
  create({ kube, watch }) {
    const deps = { kube, book: watch(addressNameType) };
    return {
      handlers: {
        listAddresses: listAddresses(deps),
        setAddress: setAddress(deps),
        removeAddress: removeAddress(deps),
      },
    };
  },
});
