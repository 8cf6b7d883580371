import { compact } from './compact.ts';

interface Target {
  always: string;
  text?: string;
  count?: number;
  list?: readonly string[];
}

/** Fails to compile when `value` is not a `T`. */
function expectType<T>(value: T): T {
  return value;
}

const maybe = (text?: string): string | undefined => text;

describe('compact', () => {
  it.each<[string, object, object]>([
    ['nothing', {}, {}],
    ['only undefined', { a: undefined, b: undefined }, {}],
    ['undefined among others', { a: 1, b: undefined, c: 'x' }, { a: 1, c: 'x' }],
    [
      'empty values, which are values',
      { a: '', b: 0, c: false, d: null },
      { a: '', b: 0, c: false, d: null },
    ],
    ['undefined further inside, which is not its concern', { a: { b: undefined } }, { a: { b: undefined } }],
  ])('keeps what is set: %s', (_reason, given, expected) => {
    expect(compact(given)).toStrictEqual(expected);
  });

  it('keeps the order of the members and leaves the original alone', () => {
    const given = { z: 1, gone: undefined, a: 2 };
    expect(Object.keys(compact(given))).toEqual(['z', 'a']);
    expect(given).toHaveProperty('gone');
  });

  it('makes members that may be undefined optional, and no others', () => {
    const whole = expectType<Target>(
      compact({ always: 'here', text: maybe(), count: 1 as number | undefined }),
    );
    expect(whole).toStrictEqual({ always: 'here', count: 1 });
    const spread = expectType<Target>({ always: 'here', ...compact({ text: maybe('x'), list: undefined }) });
    expect(spread).toStrictEqual({ always: 'here', text: 'x' });
    const { text }: { text?: string } = compact({ text: maybe() });
    expect(text).toBeUndefined();
  });

  it('does not let a wrong or missing member pass', () => {
    // @ts-expect-error a number is not a text
    expectType<Target>(compact({ always: 'here', text: 1 as number | undefined }));
    // @ts-expect-error what may be undefined does not stand for what is always there
    expectType<Target>(compact({ always: maybe('here') }));
    // @ts-expect-error exact optional members do not take undefined
    expectType<Target>({ always: 'here', text: maybe() });
    expect.assertions(0);
  });
});
