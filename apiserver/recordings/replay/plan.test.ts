import { maxRecordedNetworks } from '../../../core/api/rest/recording.ts';
import { planReplay, type Source } from './plan.ts';

const sourcesOf = (count: number): Source[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `n${at}`,
    async *read() {
      yield [];
    },
  }));

/** How many networks are looked up for so many recorded ones, and what comes of it. */
async function plan(count: number, mapping: Record<string, string> = {}) {
  let lookedUp = 0;
  const find = async () => {
    lookedUp += 1;
    return undefined;
  };
  const input = { sources: sourcesOf(count), mapping, find, path: 'replayDocument.networks' };
  const error: unknown = await planReplay(input).catch((thrown: unknown) => thrown);
  return { lookedUp, error };
}

it('looks up as many networks as a recording has', async () => {
  const { lookedUp, error } = await plan(maxRecordedNetworks);
  expect([lookedUp, error]).toEqual([maxRecordedNetworks, expect.objectContaining({ reason: 'NotFound' })]);
});

it('looks up none of more', async () => {
  const { lookedUp, error } = await plan(maxRecordedNetworks + 1);
  const message = 'has 65 networks: replay at most 64 at a time';
  expect([lookedUp, error]).toEqual([
    0,
    expect.objectContaining({
      reason: 'BadRequest',
      details: [{ path: 'replayDocument.networks', message }],
    }),
  ]);
});

it('looks up nothing for a mapping of other networks', async () => {
  const { lookedUp, error } = await plan(1, { other: 'x' });
  expect([lookedUp, error]).toEqual([0, expect.objectContaining({ reason: 'BadRequest' })]);
});
