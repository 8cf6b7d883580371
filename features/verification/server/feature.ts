import { defineServerFeature } from '../../../apiserver/feature.ts';
import { findContract } from './contracts.ts';
import { abiOf } from './details.ts';
import { createContractHandlers } from './handlers.ts';
import { createListVerified } from './list.ts';
import { createVerification } from './service.ts';

export const feature = defineServerFeature({
  create({ installation, limits, ...surroundings }) {
    const { kube } = surroundings;
    const verification = createVerification({
      ...surroundings,
      ...limits,
      compilers: installation.compilers,
    });
    return {
      handlers: createContractHandlers(surroundings),
      ownServices: { verify: verification.answer },
      async findContract(place, charge) {
        const verified = (await findContract(kube, place))?.spec.verified;
        return verified && { name: verified.name, abi: await abiOf(verified, charge) };
      },
      listContracts: createListVerified(kube),
      close: verification.close,
    };
  },
});
