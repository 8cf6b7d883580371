import { defineServerFeature } from '../../../apiserver/feature.ts';
import { createExplorer } from './explorer.ts';

export const feature = defineServerFeature({
  create(surroundings) {
    const { eventStreams } = surroundings.installation.limits;
    const { handlers, close } = createExplorer({ ...surroundings, eventStreams });
    return { handlers, endStreams: close };
  },
});
