import { budgetsExceeded, type Manifest } from './budgets.ts';

const manifest: Manifest = {
  'index.html': {
    file: 'assets/main.js',
    isEntry: true,
    imports: ['react'],
    css: ['assets/main.css'],
    dynamicImports: ['list', 'logs'],
  },
  react: { file: 'assets/react.js' },
  list: { file: 'assets/list.js', imports: ['react', 'table'], dynamicImports: ['graph'] },
  graph: { file: 'assets/graph.js', imports: ['react'] },
  table: { file: 'assets/table.js' },
  logs: { file: 'assets/logs.js', imports: ['table'] },
};
const usual = {
  'assets/main.js': 90_000,
  'assets/react.js': 60_000,
  'assets/main.css': 10_000,
  'assets/list.js': 20_000,
  'assets/table.js': 30_000,
  'assets/logs.js': 5_000,
  'assets/graph.js': 60_000,
};
const exceeded = (sizes: Partial<typeof usual>) =>
  budgetsExceeded(manifest, new Map(Object.entries({ ...usual, ...sizes }))).map(
    (line) => line.split(':')[0],
  );

test.each([
  [{}, []],
  [{ 'assets/react.js': 101_000 }, ['the scripts of the first load']],
  [{ 'assets/main.css': 15_001 }, ['the styles of the first load']],
  [{ 'assets/table.js': 41_000 }, ['the route list']],
  [{ 'assets/graph.js': 76_000 }, ['the part graph of list']],
  [{ 'assets/logs.js': 400_000 }, ['the route logs', 'the whole console']],
])('sizes %j exceed %j', (sizes, expected) => {
  expect(exceeded(sizes)).toEqual(expected);
});
