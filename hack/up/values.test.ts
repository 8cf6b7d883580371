import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkSourcesOf } from './values.ts';

describe('fork sources in a chart values file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-values-'));
  const file = join(folder, 'values.yaml');
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['two sources are set', 'forkSources: { Ethereum: "https://a.example", Base: "https://b.example" }', 2],
    [
      'one source is a Service in the cluster',
      'forkSources: { Ethereum: "http://a.b.svc:8545", Base: "https://b.example" }',
      1,
    ],
    ['no sources are set', 'logLevel: debug', 0],
    ['the file is empty', '', 0],
    ['forkSources has no value', 'forkSources:', 0],
  ])('%s', (_reason, text, count) => {
    writeFileSync(file, text);
    expect(forkSourcesOf(file)).toHaveLength(count);
  });

  it('names the file that it cannot read', () => {
    expect(() => forkSourcesOf(join(folder, 'none.yaml'))).toThrow('none.yaml cannot be read');
    writeFileSync(file, 'a: [');
    expect(() => forkSourcesOf(file)).toThrow('values.yaml cannot be read');
  });
});
