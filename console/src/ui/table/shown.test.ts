import { shownOn } from './shown.ts';

const columns = [
  { name: 'name', width: '180px', narrowWidth: 'minmax(0, 1fr)' },
  { name: 'wallet', width: '130px' },
  { name: 'state', width: '110px', narrowWidth: '96px' },
];

test('each column that is shown has its track', () => {
  expect(shownOn(false, columns)).toEqual({ columns, tracks: '180px 130px 110px' });
});

test('on narrow screens only columns are shown that have a width for them', () => {
  const { columns: shown, tracks } = shownOn(true, columns);
  expect([shown.map(({ name }) => name), tracks]).toEqual([['name', 'state'], 'minmax(0, 1fr) 96px']);
});
