import { parseHistory, pendingRevisions } from './history.ts';

const json = JSON.stringify([
  { revision: 3, status: 'pending-upgrade', description: 'Preparing upgrade', chart: 'slipway-0.1.0' },
  { revision: 2, status: 'deployed', description: 'chart and values 01', chart: 'slipway-0.1.0' },
]);

describe('the history of a helm release', () => {
  it('is sorted oldest first, so that the last revision is the current one', () => {
    expect(parseHistory(json).map(({ revision }) => revision)).toEqual([2, 3]);
  });

  it.each([
    ['a first install was killed', 'pending-install', 1],
    ['an upgrade was killed', 'pending-upgrade', 1],
    ['a rollback was killed', 'pending-rollback', 1],
    ['the revision is deployed', 'deployed', 0],
    ['the revision failed, which helm recovers from on its own', 'failed', 0],
  ])('%s', (_reason, status, count) => {
    expect(pendingRevisions([{ revision: 1, status, description: '' }])).toHaveLength(count);
  });
});
