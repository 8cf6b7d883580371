import {
  byAge,
  findById,
  hasId,
  idIndex,
  idKey,
  idOf,
  isUuid,
  keepsId,
  labelledId,
  oldest,
  withNewId,
} from './ids.ts';
import { labels } from './names.ts';
import { aSecret } from './testing/builders.ts';
import { asStored } from './testing/stored.ts';

const id = '6f1d2c3b-4a5e-4f60-8171-92a3b4c5d6e7';
const uid = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';
const labelled = (value: string) => ({ labels: { [labels.id]: value } });
const deleted = { deletionTimestamp: '2026-03-01T00:00:00Z' };

describe('the id of an object', () => {
  it.each<[string, object, string]>([
    ['its label says it', labelled(id), id],
    ['without a label it is the uid', {}, uid],
    ['without the label among others it is the uid', { labels: { team: 'a' } }, uid],
    ['a label that is no UUID counts for nothing', labelled('mine'), uid],
    ['nor does an empty one', labelled(''), uid],
    ['nor does a UUID in capital letters, which a host name cannot carry', labelled(id.toUpperCase()), uid],
    ['nor does a UUID with something behind it', labelled(`${id}-2`), uid],
    ['nor does a UUID with a line break behind it', labelled(`${id}\n`), uid],
  ])('%s', (_case, metadata, expected) => {
    const object = asStored(aSecret({ metadata: { uid, ...metadata } }));
    expect(idOf(object)).toBe(expected);
    expect(labelledId(object.metadata)).toBe(expected === uid ? undefined : expected);
    expect([hasId(object, expected), hasId(object, '0'), hasId(object, '')]).toEqual([true, false, false]);
    const known = [...new Set([expected, uid])].map((one) => idKey('slipway-test', one));
    expect(idIndex.id(object)).toEqual(known);
  });

  it('may be noted as the uid, by a release that knew no other one', () => {
    expect(hasId(aSecret({ metadata: { uid, ...labelled(id) } }), uid)).toBe(true);
  });
});

describe('a new id', () => {
  it('is a UUID beside the other labels, another one each time', () => {
    const given = aSecret({ metadata: { labels: { team: 'a' } } });
    const [one, other] = [withNewId(given), withNewId(given)];
    expect(one).toEqual({
      ...given,
      metadata: { ...given.metadata, labels: { team: 'a', [labels.id]: idIn(one) } },
    });
    expect([isUuid(idIn(one)), isUuid(idIn(other))]).toEqual([true, true]);
    expect(idIn(one)).not.toBe(idIn(other));
    expect(given.metadata.labels).toEqual({ team: 'a' });
  });

  it('is given to an object without labels', () => {
    const { labels: _, ...metadata } = aSecret().metadata;
    expect(isUuid(idIn(withNewId({ ...aSecret(), metadata })))).toBe(true);
  });

  it('does not replace one that the object has', () => {
    const given = aSecret({ metadata: labelled(id) });
    expect(withNewId(given)).toBe(given);
  });

  it('replaces a label that is not an id', () => {
    expect(isUuid(idIn(withNewId(aSecret({ metadata: labelled('mine') }))))).toBe(true);
  });
});

function idIn({ metadata }: ReturnType<typeof aSecret>): string {
  return metadata.labels?.[labels.id] ?? '';
}

describe('of objects with one id', () => {
  const of = (name: string, creationTimestamp: string, more: object = {}) =>
    asStored(
      aSecret({ name, metadata: { uid: `uid-${name}`, creationTimestamp, ...labelled(id), ...more } }),
    );
  const older = of('older', '2026-01-01T00:00:00Z');
  const younger = of('younger', '2026-02-01T00:00:00Z');
  const ending = of('ending', '2025-01-01T00:00:00Z', deleted);
  const twin = of('a-twin', '2026-01-01T00:00:00Z');

  it.each([
    ['the older one keeps it', [younger, older], 'older'],
    ['whichever is named first', [older, younger], 'older'],
    ['one that is being deleted does not, however old it is', [ending, younger], 'younger'],
    ['of two of one second, the one with the lower uid does', [older, twin], 'a-twin'],
    ['one alone does, even while it is being deleted', [ending], 'ending'],
    ['nobody does if there is none', [], undefined],
  ])('%s', (_case, objects, name) => {
    expect(oldest(objects)?.metadata.name).toBe(name);
    const byIndex = (index: string, key: string) =>
      index === 'id' && key === idKey('slipway-test', id) ? objects : [];
    expect(findById({ byIndex }, 'slipway-test', id)?.metadata.name).toBe(name);
    expect(findById({ byIndex }, 'slipway-other', id)).toBeUndefined();
    const keepers = objects.filter((object) => keepsId({ byIndex }, object));
    expect(keepers.map(({ metadata }) => metadata.name)).toEqual(name === undefined ? [] : [name]);
  });

  it('one whose uid it is does not, also if it is older: its own id is another one', () => {
    const aliased = of('aliased', '2025-01-01T00:00:00Z', { uid: id, ...labelled(uid) });
    const byIndex = () => [aliased, younger];
    expect(findById({ byIndex }, 'slipway-test', id)?.metadata.name).toBe('younger');
    expect(findById({ byIndex: () => [aliased] }, 'slipway-test', id)?.metadata.name).toBe('aliased');
  });

  it('the order is the same for everybody, and what is asked stays as it is', () => {
    const asked = [ending, younger, older, twin];
    const names = (objects: typeof asked) => objects.map(({ metadata }) => metadata.name);
    expect(names(byAge(asked))).toEqual(['a-twin', 'older', 'younger', 'ending']);
    expect(names(byAge(asked.toReversed()))).toEqual(['a-twin', 'older', 'younger', 'ending']);
    expect(names(asked)).toEqual(['ending', 'younger', 'older', 'a-twin']);
  });
});
