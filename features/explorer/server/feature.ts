import { defineServerFeature } from '../../../apiserver/feature.ts';
import { createContractHandlers } from './contractHandlers.ts';
import { createExplorer } from './explorer.ts';

export const feature = defineServerFeature({
  create(surroundings) {
    const { installation, kinds, listContracts, cursors } = surroundings;
    const { eventStreams } = installation.limits;
    const { handlers, close } = createExplorer({ ...surroundings, eventStreams });
    const { cache: networks, find } = kinds.networks;
    const tokens = kinds.tokens.cache;
    const contracts = createContractHandlers({ listContracts, find, networks, tokens, cursors });
    return { handlers: { ...handlers, ...contracts }, endStreams: close };
  },
});
