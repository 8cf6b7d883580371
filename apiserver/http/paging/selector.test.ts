import fc from 'fast-check';
import { type Clause, formatSelector, matcherOf, parseSelector } from './selector.ts';

const fields = ['status.state', 'spec.chain.type', 'metadata.ownerID', 'spec.persistent'];
const parse = (text: string) => parseSelector(text, fields);

const field = fc.constantFrom(...fields);
const clause: fc.Arbitrary<Clause> = fc.oneof(
  fc.record({ field, operator: fc.constantFrom('==', '!='), value: fc.string({ maxLength: 20 }) }),
  fc.record({
    field,
    operator: fc.constant('IN'),
    values: fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 5 }),
  }),
);

describe('parsing a selector', () => {
  const state = (value: string): Clause => ({ field: 'status.state', operator: '==', value });
  it.each<[string, string, Clause[]]>([
    ['a bare value', 'status.state == Operational', [state('Operational')]],
    ['no whitespace', 'status.state==Operational', [state('Operational')]],
    ['much whitespace', '  status.state\t==\n Operational ', [state('Operational')]],
    ['blanks inside a value', 'status.state ==  My  Token ', [state('My  Token')]],
    ['signs that are not operators', "status.state == AT&T (it's) = a,b!", [state("AT&T (it's) = a,b!")]],
    [
      'a bare value before another clause',
      'status.state == My Token && status.state == b',
      [state('My Token'), state('b')],
    ],
    [
      'blanks inside the values of IN',
      "spec.chain.type IN ( My Token,it's )",
      [{ field: 'spec.chain.type', operator: 'IN', values: ['My Token', "it's"] }],
    ],
    ['single quotes', "status.state == 'a b'", [state('a b')]],
    ['double quotes', 'status.state == "it\'s"', [state("it's")]],
    ['an escaped quote', 'status.state == "a\\"\\\\"', [state('a"\\')]],
    ['an empty value', 'status.state == ""', [state('')]],
    ['an operator in quotes', 'status.state == "&& IN ("', [state('&& IN (')]],
    ['!=', 'status.state != Error', [{ field: 'status.state', operator: '!=', value: 'Error' }]],
    [
      'IN',
      'spec.chain.type IN (Ethereum, \'Base\',"BNB")',
      [{ field: 'spec.chain.type', operator: 'IN', values: ['Ethereum', 'Base', 'BNB'] }],
    ],
    [
      'two clauses',
      'status.state == Error && spec.persistent != true',
      [state('Error'), { field: 'spec.persistent', operator: '!=', value: 'true' }],
    ],
  ])('%s', (_reason, text, clauses) => {
    expect(parse(text)).toEqual(clauses);
  });

  it.each([
    ['nothing', ''],
    ['only a field', 'status.state'],
    ['a value is missing', 'status.state =='],
    ['one =', 'status.state = Error'],
    ['another operator', 'status.state < Error'],
    ['an operator in lower case', 'status.state in (Error)'],
    ['IN without parentheses', 'status.state IN Error'],
    ['IN without values', 'status.state IN ()'],
    ['a trailing comma', 'status.state IN (Error,)'],
    ['an unclosed parenthesis', 'status.state IN (Error'],
    ['an unclosed quote', 'status.state == "Error'],
    ['a quote that ends in a backslash', 'status.state == "Error\\'],
    ['|| instead of &&', 'status.state == Error || status.state == Stopped'],
    ['no clause after &&', 'status.state == Error &&'],
    ['an operator inside a bare value', 'status.state == a == b'],
    ['an operator inside a bare value of IN', 'status.state IN (a && b)'],
    ['no value before &&', 'status.state == && status.state == a'],
    ['a bare value after a quoted one', 'status.state == "Error" Stopped'],
    ['no value before a comma', 'status.state IN (, Error)'],
    ['too long', `status.state == ${'a'.repeat(5000)}`],
  ])('%s is refused at "selector"', (_reason, text) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        reason: 'BadRequest',
        details: [expect.objectContaining({ path: 'selector' })],
      }),
    );
  });

  it('an unknown field is refused, and the selectable ones are listed', () => {
    expect(() => parse('metadata.name == x')).toThrow(
      /"metadata.name"; selectable fields: status.state, .*persistent/,
    );
  });
});

it('parses its own output for any values', () => {
  fc.assert(
    fc.property(fc.array(clause, { minLength: 1, maxLength: 4 }), (clauses) => {
      expect(parse(formatSelector(clauses))).toEqual(clauses);
    }),
  );
});

it('returns clauses or throws BadRequest for any text, never another error', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('&&', '==', '!=', ' IN ', '(', ')', ',', '"', "'", '\\', ...fields),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      try {
        expect(parse(parts.join('')).length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toMatchObject({ reason: 'BadRequest' });
      }
    }),
  );
});

it('parses hostile texts of the maximum length in linear time', () => {
  const hostile = [
    '"',
    "'",
    '(',
    ' ',
    'a',
    '\\',
    '&&',
    'status.state IN (',
    'status.state == "',
    'status.state == a && ',
  ];
  for (const part of hostile) {
    for (const end of ['', '"', ')', 'status.state == a']) {
      const text = part.repeat(Math.floor((4096 - end.length) / part.length)) + end;
      for (let round = 0; round < 50; round++) {
        try {
          expect(parse(text).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toMatchObject({ reason: 'BadRequest' });
        }
      }
    }
  }
});

describe('matching a selector', () => {
  const read = (values: Record<string, string>) => (name: string) => values[name];
  it('implements each operator', () => {
    const letter = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(letter, letter, fc.array(letter, { minLength: 1 }), (actual, value, values) => {
        const object = read({ f: actual });
        expect(matcherOf([{ field: 'f', operator: '==', value }])(object)).toBe(actual === value);
        expect(matcherOf([{ field: 'f', operator: '!=', value }])(object)).toBe(actual !== value);
        expect(matcherOf([{ field: 'f', operator: 'IN', values }])(object)).toBe(values.includes(actual));
      }),
    );
  });

  it('an absent field equals nothing and differs from everything', () => {
    const object = read({});
    expect(matcherOf([{ field: 'f', operator: '==', value: '' }])(object)).toBe(false);
    expect(matcherOf([{ field: 'f', operator: '!=', value: '' }])(object)).toBe(true);
    expect(matcherOf([{ field: 'f', operator: 'IN', values: [''] }])(object)).toBe(false);
  });

  it.each(['0xABcd', '0xabcd', '0xABCD'])('an address is the same in any spelling: %s', (value) => {
    const object = read({ f: '0xABcd' });
    expect(matcherOf([{ field: 'f', operator: '==', value }])(object)).toBe(true);
    expect(matcherOf([{ field: 'f', operator: '!=', value }])(object)).toBe(false);
    expect(matcherOf([{ field: 'f', operator: 'IN', values: ['x', value] }])(object)).toBe(true);
  });

  it('all other values are compared as they are', () => {
    expect(matcherOf([{ field: 'f', operator: '==', value: 'error' }])(read({ f: 'Error' }))).toBe(false);
  });

  it('all clauses must match', () => {
    const object = read({ f: 'a', g: 'b' });
    const clauses: Clause[] = [
      { field: 'f', operator: '==', value: 'a' },
      { field: 'g', operator: '==', value: 'a' },
    ];
    expect(matcherOf(clauses)(object)).toBe(false);
  });

  it('values are prepared once, however many objects there are', () => {
    const values = Array.from({ length: 2_000 }, (_, at) => `0xF${at}`);
    const matches = matcherOf([{ field: 'f', operator: 'IN', values }]);
    const folded = jest.spyOn(String.prototype, 'toLowerCase');
    const found = Array.from({ length: 100 }, (_, at) => matches(read({ f: `0xf${at * 1000}` })));
    const times = folded.mock.calls.length;
    folded.mockRestore();
    expect([found.filter(Boolean).length, times]).toEqual([2, 100]);
  });
});
