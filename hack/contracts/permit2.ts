import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { permit2Salt } from '../../core/plugins/uniswap/fixedContracts.ts';
import { addressFrom } from '../../core/plugins/uniswap/proxy.ts';
import { type CompiledContract, compile, type Sources } from './compile.ts';
import { compiledOnce, pinnedCompiler } from './compiled.ts';
import { packageFolder } from './packages.ts';

const source = 'src/Permit2.sol';
const settings = {
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { bytecodeHash: 'none' },
  remappings: ['solmate/=lib/solmate/'],
  outputSelection: { [source]: { Permit2: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
};
/** The libraries that Permit2 imports. */
const libraries = ['lib/solmate/src/tokens/ERC20.sol', 'lib/solmate/src/utils/SafeTransferLib.sol'];
const compilerVersion = '0.8.17';

const canonicalAddress = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/**
 * Permit2 with exactly the bytecode that Uniswap deployed, so that its address is the same. This compiler orders
 * functions by the text of their numbers in the syntax tree, which count through all sources in the order of their paths:
 * in Uniswap's build, which included the tests, all of them had five digits. A source before the others makes up for the
 * tests. Throws Error when the bytecode is another one.
 */
export function permit2Contract(): CompiledContract {
  const facts = [settings, compilerVersion, sourcesOf()];
  const [, contract] =
    compiledOnce('permit2', facts, () =>
      compile({ 'a.sol': filler(), ...sourcesOf() }, undefined, {
        compiler: pinnedCompiler(compilerVersion),
        settings,
      }),
    ).find(([name]) => name === 'Permit2') ?? [];
  if (!contract) throw new Error('the compiler made no Permit2');
  const address = addressFrom(`0x${contract.evm.bytecode.object}`, permit2Salt);
  if (address !== canonicalAddress)
    throw new Error(`Permit2 would be at ${address}, not at ${canonicalAddress}`);
  return contract;
}

function sourcesOf(): Sources {
  const root = join(packageFolder('@uniswap/v4-periphery'), 'lib', 'permit2');
  const paths = [...globSync('src/**/*.sol', { cwd: root }), ...libraries].sort();
  return Object.fromEntries(paths.map((path) => [path, { content: readFileSync(join(root, path), 'utf8') }]));
}

/** Some 20,000 nodes of the syntax tree. */
function filler(): { content: string } {
  const variables = Array.from({ length: 5000 }, (_, index) => `uint v${index} = 1;`);
  return { content: `pragma solidity ${compilerVersion};\ncontract A { ${variables.join(' ')} }` };
}
