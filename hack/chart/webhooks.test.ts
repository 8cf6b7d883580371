import { find, helmSkipReason, renderChart } from './render.ts';

const suite = helmSkipReason() ? describe.skip : describe;

suite(`chart webhooks${helmSkipReason() ? ` (skipped: ${helmSkipReason()})` : ''}`, () => {
  it('warn of changed networks without ever holding a change back, and leave the service itself alone', async () => {
    const manifests = await renderChart();
    const [seal] = find(manifests, 'MutatingWebhookConfiguration', '').webhooks;
    const [warn, warnSecrets] = find(manifests, 'ValidatingWebhookConfiguration', '').webhooks;
    expect(warnSecrets).toMatchObject({ failurePolicy: 'Ignore', timeoutSeconds: 2, sideEffects: 'None' });
    expect(warnSecrets.rules).toMatchObject([{ resources: ['secrets'], operations: ['DELETE'] }]);
    expect(warnSecrets.clientConfig).toEqual(seal.clientConfig);
    expect(warn).toMatchObject({ failurePolicy: 'Ignore', timeoutSeconds: 2, sideEffects: 'None' });
    expect(warn.rules).toMatchObject([{ resources: ['networks'], operations: ['CREATE', 'UPDATE'] }]);
    expect(warn.clientConfig).toMatchObject({
      caBundle: seal.clientConfig.caBundle,
      service: { ...seal.clientConfig.service, path: '/admission/networks' },
    });
    expect(warn.matchConditions.map(({ expression }: { expression: string }) => expression)).toEqual([
      'oldObject == null || object.spec != oldObject.spec',
      '!request.userInfo.username.startsWith("system:serviceaccount:slipway-system:")',
    ]);
  });
});
