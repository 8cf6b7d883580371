import { annotations } from '../../core/api/names.ts';
import { identified } from './ids.ts';

it('an RPC key remembers the uid that its record knows, so that a restore keeps its URLs', () => {
  const metadata = {
    name: 'ci',
    namespace: 'ws',
    uid: 'u-1',
    resourceVersion: '1',
    creationTimestamp: '2031-01-01T00:00:00Z',
  };
  const key = { apiVersion: 'slipway.dev/v1alpha1', kind: 'RpcKey', metadata, spec: { network: 'net' } };
  expect(identified(key, { keys: [] }).metadata.annotations).toEqual({ [annotations.formerUid]: 'u-1' });
});
