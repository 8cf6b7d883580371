import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSystemContracts } from './systemContracts.ts';

describe('the file of system contracts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-contracts-'));
  const file = join(folder, 'system.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('gives runtime bytecode by name', () => {
    writeFileSync(file, '{"sources": "abc", "contracts": {"A": "0x6001"}}');
    expect(loadSystemContracts(file)).toEqual({ A: '0x6001' });
  });

  const malformed: [string, string][] = [
    ['no JSON', '{'],
    ['no contracts', '{}'],
    ['no bytecode', '{"contracts": {"A": "6001"}}'],
    ['half a byte', '{"contracts": {"A": "0x600"}}'],
  ];
  it.each(malformed)('is refused with its name: %s', (_reason, text) => {
    writeFileSync(file, text);
    expect(() => loadSystemContracts(file)).toThrow(file);
  });

  it('is refused with its name when it is missing', () => {
    expect(() => loadSystemContracts(join(folder, 'none.json'))).toThrow('none.json');
  });
});
