import { chooseIngressClass, contextOf } from './current.ts';

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

describe('the current context', () => {
  const kubectl = (code: number, text: string) => ({
    try: async () => ({ code, stdout: code === 0 ? text : '', output: text }),
  });

  it('is that of the kubeconfig', async () => {
    expect(await contextOf(kubectl(0, 'mine\n'), '/config')).toBe('mine');
  });

  it('that is not set comes with how to choose one', async () => {
    const failed = contextOf(kubectl(1, 'error: current-context is not set\n'), '/config');
    await expect(failed).rejects.toThrow(
      /^\/config names no cluster: error: .*\nWhat to do: .*use-context NAME/,
    );
  });

  it('cannot be that of several files', async () => {
    await expect(contextOf(kubectl(0, 'mine'), '/a:/b')).rejects.toThrow('kubectl config view --flatten');
  });
});
