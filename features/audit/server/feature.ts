import { defineServerFeature } from '../../../apiserver/feature.ts';
import { listAuditEntries } from './list.ts';
import { auditMetricTable } from './metrics.ts';
import { createAuditRecorder } from './recorder.ts';

export const feature = defineServerFeature({
  metrics: [auditMetricTable],
  create({ names, ...surroundings }) {
    const recorder = createAuditRecorder({ ...surroundings, ...names });
    return {
      handlers: { listAuditEntries: listAuditEntries({ ...surroundings, ...names }) },
      note: recorder.note,
      flush: recorder.flush,
      steps: [recorder.step],
    };
  },
});
