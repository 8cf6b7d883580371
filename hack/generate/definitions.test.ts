import { networkType } from '../../core/api/resources/resources.ts';
import { definitions } from './definitions.ts';

it('kubectl get shows why a network is in its state, without -o wide', () => {
  const { columns = [] } = definitions.find(({ type }) => type === networkType) ?? {};
  const shown = columns.filter(({ priority = 0 }) => priority === 0).map(({ jsonPath }) => jsonPath);
  expect(shown).toContain('.status.reason');
});
