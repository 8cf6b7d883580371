import { AppError } from '../../core/lib/errors.ts';
import { forCaller } from './kubeErrors.ts';

const quota =
  'networks.slipway.dev "x" is forbidden: exceeded quota: slipway-budget, requested: count/networks.slipway.dev=1, used: count/networks.slipway.dev=5, limited: count/networks.slipway.dev=5';

it("answers 429 with the budget, its usage and a remedy when the workspace's quota is exceeded", async () => {
  const failure = forCaller(Promise.reject(new AppError('Forbidden', quota)));
  await expect(failure).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 60,
    message: expect.stringMatching(
      /budget of this workspace.*slipway-budget.*used: count\/networks.slipway.dev=5.*delete what is not needed/,
    ),
  });
});

it.each([
  [
    "rights that the service lacks, without Kubernetes' text",
    new AppError('Forbidden', 'User "x" cannot create'),
  ],
  [
    'a quota whose usage is not known yet',
    new AppError('Forbidden', 'status unknown for quota: slipway-budget'),
  ],
])('answers 503 for %s', async (_reason, error) => {
  await expect(forCaller(Promise.reject(error))).rejects.toMatchObject({
    status: 503,
    message: expect.not.stringMatching(/cannot create|unknown/),
  });
});
