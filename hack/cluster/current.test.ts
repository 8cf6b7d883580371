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
    ['nothing when there are several and no default', [named('a', 'false'), named('b')], undefined],
    ['nothing when there are none', [], undefined],
  ])('chooses %s', (_reason, classes, expected) => {
    expect(chooseIngressClass(classes)).toBe(expected);
  });
});
