import { asStored } from '../../core/api/testing/stored.ts';
import { createJournals, type JournalsDeps } from './journals.ts';

const owner = { ...asStored({ apiVersion: 'v1', kind: 'Token', metadata: { name: 't', namespace: 'ws' } }) };

/** Journals over a store that merges what is written, and what it has of one step. */
function createScene() {
  let steps: Record<string, object> = {};
  const merge = async (_type: unknown, ...[body, patch = body]: object[]) => {
    steps = { ...steps, ...(patch as { spec: { steps: typeof steps } }).spec.steps };
  };
  const kube = {
    get: async () => ({ spec: { steps } }),
    create: (type: unknown, body: object) => merge(type, body),
    patch: merge,
    async delete() {
      steps = {};
    },
  };
  const caches = { tokens: { byIndex: () => [owner] }, networks: { byIndex: () => [owner] } };
  const journals = createJournals({ kube, caches } as unknown as JournalsDeps);
  const store = journals.progressIn('ws');
  const stored = async () => (await store.load('token/uid')).step;
  return { journals, stored, save: (attempt: number) => store.save('token/uid', 'step', { attempt }) };
}

it('a run that knows of an earlier attempt only does not overwrite what a later one has stored', async () => {
  const { save, stored } = createScene();
  await save(0);
  await save(1);
  await save(0);
  expect(await stored()).toMatchObject({ attempt: 1 });
});

it('a journal that was deleted begins with the first attempt again', async () => {
  const { journals, save, stored } = createScene();
  await save(1);
  await journals.forget('ws', 'token/uid');
  await save(0);
  expect(await stored()).toMatchObject({ attempt: 0 });
});
