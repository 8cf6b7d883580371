import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBytes } from '../apiserver/http/pipeline/body.ts';
import { logFailure, sendError, toPublicError } from '../apiserver/http/pipeline/errors.ts';
import { requestIdOf } from '../apiserver/http/pipeline/requestId.ts';
import { sendJson } from '../apiserver/http/pipeline/send.ts';
import { AppError } from '../core/lib/errors.ts';
import type { Log } from '../core/lib/log.ts';
import type { Metrics } from '../core/lib/metrics.ts';
import { admissionMetricTable } from './metrics.ts';
import { type AdmissionRequest, admissionReviewSchema, toReview, type Verdict } from './review.ts';
import { reviewNetwork } from './reviewNetwork.ts';
import { reviewSecret, type SecretReviewDeps } from './sealSecret.ts';

/** Two objects of at most 1.5 MiB each (etcd's limit) and the envelope around them. */
const maxReviewBytes = 4 * 1024 * 1024;
export const secretsPath = '/admission/secrets';
const networksPath = '/admission/networks';

export interface AdmissionDeps extends SecretReviewDeps {
  log: Log;
  metrics: Metrics;
}

/** Answers kube-apiserver's AdmissionReviews. The content of an object is never logged. */
export function createAdmissionListener({ log, metrics, ...deps }: AdmissionDeps) {
  const { reviews } = metrics.instruments(admissionMetricTable);

  const reviewers = new Map<string, (review: AdmissionRequest) => Verdict>([
    [secretsPath, (review) => reviewSecret(review, deps)],
    [networksPath, reviewNetwork],
  ]);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '').split('?');
    const decide = reviewers.get(path);
    if (!decide || request.method !== 'POST') {
      const paths = [...reviewers.keys()].map((served) => `POST ${served}`).join(' and ');
      throw new AppError('NotFound', `path or method not found: this server only serves ${paths}`);
    }
    const review = parseReview(await readBytes(request, maxReviewBytes));
    const verdict = decide(review);
    reviews.inc({ outcome: 'refusal' in verdict ? 'refused' : 'allowed' });
    sendJson(response, 200, JSON.stringify(toReview(review.uid, verdict)));
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch((error) => {
      const publicError = toPublicError(error);
      reviews.inc({ outcome: 'failed' });
      logFailure(log, publicError);
      sendError(response, publicError, requestIdOf(undefined));
    });
  };
}

function parseReview(bytes: Buffer) {
  try {
    return admissionReviewSchema.parse(JSON.parse(bytes.toString('utf8'))).request;
  } catch {
    throw new AppError('BadRequest', 'the body is not an AdmissionReview of admission.k8s.io/v1');
  }
}
