import { heapMetricTable } from '../core/lib/liveHeap.ts';
import { defineMetrics } from '../core/lib/metrics.ts';

export const admissionMetricTable = defineMetrics({
  reviews: {
    type: 'counter',
    name: 'slipway_admission_reviews_total',
    help: 'AdmissionReviews from kube-apiserver.',
    labels: { outcome: 'allowed, refused or failed (the review could not be answered)' },
  },
});

/** All metrics that the admission webhook exposes. */
export const admissionMetricTables = [heapMetricTable, admissionMetricTable];
