import { chooseIngressClass } from './current.ts';

const named = (name: string, isDefault?: string) => ({
  metadata: {
    name,
    annotations: isDefault ? { 'ingressclass.kubernetes.io/is-default-class': isDefault } : {},
  },
});

describe('chooseIngressClass', () => {
  it.each([
    ['the default one', [named('a'), named('b', 'true')], 'b'],
    ['the only one', [named('a')], 'a'],
    ['none of several without a default', [named('a', 'false'), named('b')], undefined],
    ['none where there is none', [], undefined],
  ])('takes %s', (_reason, classes, expected) => {
    expect(chooseIngressClass(classes)).toBe(expected);
  });
});
