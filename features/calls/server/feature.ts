import { defineServerFeature } from '../../../apiserver/feature.ts';
import { answerCalls, getNetworkCalls, topic } from './getCalls.ts';
import { keepCalls } from './kept.ts';
import { createCallRings } from './rings.ts';
import { switchNetworkCalls } from './switchCalls.ts';

export const feature = defineServerFeature({
  create({ kube, caches: { networks }, kinds, limits: { shares }, clock, askReplicas }) {
    const rings = createCallRings();
    const { find } = kinds.networks;
    return {
      handlers: {
        getNetworkCalls: getNetworkCalls({ find, askReplicas, rings }),
        switchNetworkCalls: switchNetworkCalls({ kube, networks, find }),
      },
      observeCalls: keepCalls({ networks, shares, rings, clock }),
      answersReplicas: { [topic]: answerCalls(rings) },
    };
  },
});
