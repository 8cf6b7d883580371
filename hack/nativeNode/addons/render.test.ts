import { parseAllDocuments } from 'yaml';
import { fillIn, renderAddon } from './render.ts';

describe('fillIn', () => {
  it('replaces every name and does not touch shell variables', () => {
    expect(fillIn(`\${A} "$VOL_DIR" \${A}\${B_C}`, { A: '1', B_C: '2' })).toBe('1 "$VOL_DIR" 12');
  });

  it('rejects a name without a value', () => {
    expect(() => fillIn(`\${A}`, {})).toThrow('no value for A');
  });
});

describe('renderAddon', () => {
  const anyValue = new Proxy<Record<string, string>>({}, { get: () => 'x' });
  it.each(['coredns', 'local-path', 'ingress'])('%s renders to Kubernetes objects', (name) => {
    const documents = parseAllDocuments(renderAddon(name, anyValue)).map((document) => document.toJS());
    expect(documents.length).toBeGreaterThan(3);
    for (const document of documents)
      expect(document).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String) });
  });
});
