import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tokenContractsForTests } from '../../hack/contracts/forTests.ts';
import { tokenContractsFolder } from '../../hack/contracts/paths.ts';
import { loadTokenContracts } from './artifacts.ts';

describe('the contracts of tokens', () => {
  tokenContractsForTests();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tokens-'));
  beforeEach(() => cpSync(tokenContractsFolder, folder, { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('have an ABI and bytecode by suite and name', () => {
    const { abi, bytecode } = loadTokenContracts(folder).erc20('CappedToken');
    expect(abi.getFunction('cap')).not.toBeNull();
    expect(bytecode).toMatch(/^0x60/);
  });

  it('may lack a suite, for its licence: only what needs it is refused', () => {
    rmSync(join(folder, 'cct.json'));
    const contracts = loadTokenContracts(folder);
    expect(() => contracts.cct('Router')).toThrow('this installation has no contracts for cct');
    expect(contracts.oft('OmnichainToken').bytecode).toMatch(/^0x60/);
  });

  it('that are malformed are refused by the name of the file', () => {
    writeFileSync(join(folder, 'oft.json'), '{"contracts": {"A": {"abi": [], "bytecode": "60"}}}');
    expect(() => loadTokenContracts(folder)).toThrow('oft.json');
  });
});
