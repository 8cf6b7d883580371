import { z } from 'zod';
import type { AppError } from '../core/lib/errors.ts';

const objectSchema = z.looseObject({
  metadata: z
    .looseObject({
      name: z.string().optional(),
      labels: z.record(z.string(), z.string()).optional(),
      annotations: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  spec: z.looseObject({ type: z.unknown().optional(), data: z.unknown().optional() }).optional(),
});
/** The fields of an object under review that the webhook reads. They have not been validated yet. */
export type ReviewedObject = z.infer<typeof objectSchema>;

/** admission.k8s.io/v1 AdmissionReview, as kube-apiserver sends it. */
export const admissionReviewSchema = z.looseObject({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  request: z.looseObject({
    uid: z.string().min(1),
    operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    namespace: z.string().default(''),
    name: z.string().default(''),
    userInfo: z
      .looseObject({ username: z.string().default(''), groups: z.array(z.string()).default([]) })
      .default({ username: '', groups: [] }),
    object: objectSchema.nullish(),
    oldObject: objectSchema.nullish(),
  }),
});
export type AdmissionRequest = z.infer<typeof admissionReviewSchema>['request'];

/** One step of a JSON patch (RFC 6902). */
export type PatchStep =
  | { op: 'add' | 'replace'; path: string; value: string }
  | { op: 'remove'; path: string };

/** The decision on the object under review: it is admitted with the patch applied and a warning, or refused. */
export type Verdict = { patch: PatchStep[]; warning?: string } | { refusal: AppError };

/** The AdmissionReview that answers the request `uid`. */
export function toReview(uid: string, verdict: Verdict): object {
  const head = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
  if ('refusal' in verdict) {
    const { status: code, message, reason } = verdict.refusal;
    return { ...head, response: { uid, allowed: false, status: { code, message, reason } } };
  }
  const allowed = { uid, allowed: true, ...(verdict.warning ? { warnings: [verdict.warning] } : {}) };
  if (verdict.patch.length === 0) return { ...head, response: allowed };
  const patch = Buffer.from(JSON.stringify(verdict.patch)).toString('base64');
  return { ...head, response: { ...allowed, patchType: 'JSONPatch', patch } };
}
