import type { Network } from '../../../../sdk/src/generated/types.ts';
import { diffLines } from './diff.ts';
import { asDocument, documentOf, documentText, toInput } from './document.ts';
import { conflictsOf, merge } from './merge.ts';
import { warningText } from './replace.ts';
import { formOf, withForm } from './specForm.ts';
import { parseText } from './yamlText.ts';

const network: Network = {
  kind: 'Network',
  version: 'v1alpha',
  id: 'n-1',
  name: 'my-net',
  metadata: { name: 'my-net', rev: 7, labels: { team: 'core' } },
  spec: {
    idleAfter: '30m',
    maintenanceRequest: { action: 'Restart', nonce: 2 },
    chain: {
      type: 'Ethereum',
      ethereum: {
        chainID: '777',
        privateKeyRef: { name: 'k' },
        plugins: { graph: { config: { version: 'v1' } } },
        participants: [{ elType: 'geth', clType: 'lighthouse', count: 2 }],
      },
    },
  },
} as Network;
const document = documentOf(network);

describe('the form of a change', () => {
  test('unchanged, it changes nothing, not even what it does not show', () => {
    expect(withForm(document, formOf(document))).toEqual(document);
  });

  test('changes what was changed in it alone', () => {
    const form = { ...formOf(document), idleAfter: '', blockTime: '3', labels: 'team=core, env=ci' };
    expect(withForm(document, form)).toEqual({
      labels: { team: 'core', env: 'ci' },
      spec: {
        maintenanceRequest: { action: 'Restart', nonce: 2 },
        chain: { type: 'Ethereum', ethereum: { ...network.spec.chain.ethereum, blockTime: 3 } },
      },
    });
  });

  test('leaves the order of the members, so that the diff shows the change alone', () => {
    const spec = { chain: { type: 'Base', base: { blockTime: 2 } }, idleAfter: '30m' };
    const form = { ...formOf({ labels: {}, spec }), blockTime: '3' };
    const changed = documentText(withForm({ labels: {}, spec }, form));
    const lines = diffLines(documentText({ labels: {}, spec }), changed);
    expect(lines.filter(({ kind }) => kind !== 'same').map(({ text }) => text.trim())).toEqual([
      'blockTime: 2',
      'blockTime: 3',
    ]);
  });

  test('adds and removes plugins, and leaves the config of others', () => {
    const form = formOf(document);
    const plugins = (names: string[]) =>
      withForm(document, { ...form, plugins: names }).spec.chain.ethereum?.plugins;
    expect(plugins(['graph', 'vrf'])).toEqual({ graph: { config: { version: 'v1' } }, vrf: {} });
    expect(plugins(['vrf'])).toEqual({ vrf: {} });
    expect(plugins([])).toBeUndefined();
  });

  test('is sent for the revision that it was made of', () => {
    expect(toInput(document, 7).metadata).toEqual({ rev: 7, labels: { team: 'core' } });
  });
});

describe('two changes of the same', () => {
  const base = { a: 1, b: { c: 1, d: 1 }, list: [1] };

  test('of different members are both there', () => {
    const sides = { base, theirs: { ...base, a: 2 }, mine: { a: 1, b: { c: 3 }, list: [1] } };
    expect(conflictsOf(sides)).toEqual([]);
    expect(merge(sides, () => 'mine')).toEqual({ a: 2, b: { c: 3 }, list: [1] });
  });

  test('of the same member are a conflict that somebody decides', () => {
    const sides = { base, theirs: { ...base, b: { c: 2, d: 1 } }, mine: { ...base, b: { d: 1 } } };
    expect(conflictsOf(sides)).toEqual([{ path: 'b.c', base: 1, theirs: 2, mine: undefined }]);
    expect(merge(sides, () => 'theirs')).toEqual(sides.theirs);
    expect(merge(sides, () => 'mine')).toEqual(sides.mine);
  });

  test('that say the same are none, whatever the order of their members', () => {
    const sides = { base, theirs: { ...base, b: { c: 2, d: 2 } }, mine: { ...base, b: { d: 2, c: 2 } } };
    expect(conflictsOf(sides)).toEqual([]);
  });

  test('of a list are not mixed', () => {
    const sides = { base, theirs: { ...base, list: [1, 2] }, mine: { ...base, list: [1, 3] } };
    expect(conflictsOf(sides).map(({ path }) => path)).toEqual(['list']);
  });
});

describe('the text of a change', () => {
  test('read back, it is what was written', () => {
    expect(asDocument(parseText(documentText(document)).value)).toEqual(document);
    expect(asDocument(parseText(JSON.stringify(document)).value)).toEqual(document);
  });

  test('an error of the service is at the line of its path, or of what is nearest above', () => {
    const text = documentText(document);
    const { lineOf } = parseText(text);
    const lines = text.split('\n');
    expect(lines[lineOf('spec.chain.ethereum.participants[0].count') - 1]).toContain('count: 2');
    expect(lines[lineOf('spec.chain.ethereum.chainID') - 1]).toContain('chainID');
    expect(lineOf('spec.idleAfter.none')).toBe(lineOf('spec.idleAfter'));
    expect(lineOf('nothing')).toBe(0);
  });

  test('what is not YAML has the line of the mistake', () => {
    const { value, problems } = parseText('spec:\n  chain: {\n');
    expect([value, problems[0]?.line]).toEqual([undefined, expect.any(Number)]);
    expect(problems[0]?.line).toBeGreaterThan(1);
  });

  test.each([
    ['an alias without an anchor', 'spec: { chain: *it }', /alias/i],
    ['an alias that leads back to itself', 'spec: &it { chain: *it }', /circular/i],
  ])('%s is a mistake in the text, not the end of the page', (_what, text, message) => {
    expect(parseText(text)).toMatchObject({
      value: undefined,
      problems: [{ line: 0, message: expect.stringMatching(message) }],
    });
  });

  test.each(['', 'spec: 1', 'spec: {}', 'labels: [a]\nspec: { chain: {} }'])(
    '"%s" is not a document',
    (text) => {
      expect(asDocument(parseText(text).value)).toBeUndefined();
    },
  );
});

test('a diff has every line of both texts, and marks those of one', () => {
  expect(diffLines('a\nb\nc\n', 'a\nx\nc\nd\n').map(({ kind, text }) => [kind, text])).toEqual([
    ['same', 'a'],
    ['removed', 'b'],
    ['added', 'x'],
    ['same', 'c'],
    ['added', 'd'],
  ]);
});

test.each([
  ['299 - "spec.chain.base.chainID starts a new chain"', 'spec.chain.base.chainID starts a new chain'],
  ['299 - "the key \\"a\\" is not used"', 'the key "a" is not used'],
  [null, undefined],
  ['nonsense', undefined],
])('the warning %s says %s', (header, expected) => {
  expect(warningText(header)).toBe(expected);
});
