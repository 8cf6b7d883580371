import { type Abi, argumentsOf, interfaceOf } from './calls.ts';

/** A compiled contract. */
export interface Artifact {
  abi: Abi;
  /** 0x and hexadecimal digits. */
  bytecode: string;
}

/** The ABI that a value is, or has as `abi`; undefined when there is none. */
export function abiIn(value: unknown): Abi | undefined {
  const abi = typeof value === 'object' && value !== null && 'abi' in value ? value.abi : value;
  return Array.isArray(abi) ? abi : undefined;
}

/**
 * The contract in what Foundry, Hardhat, Truffle or solc write: `abi`, and `bytecode` as text or as an object, or `evm.bytecode.object`.
 * Throws Error with what is missing.
 */
export function artifactOf(value: unknown): Artifact {
  if (typeof value !== 'object' || value === null)
    throw new Error('this is not an artifact: it needs "abi" and "bytecode"');
  const abi = 'abi' in value ? value.abi : undefined;
  if (!Array.isArray(abi)) throw new Error('this artifact has no "abi"');
  const text = bytecodeIn(value);
  if (text === undefined || text === '' || text === '0x') {
    throw new Error('this artifact has no bytecode: an interface or an abstract contract cannot be deployed');
  }
  if (text.includes('__')) throw new Error('the bytecode has places for libraries: link them first');
  const bytecode = text.startsWith('0x') ? text : `0x${text}`;
  if (!/^0x([0-9a-f]{2})+$/i.test(bytecode)) throw new Error('the bytecode is not hexadecimal');
  return { abi, bytecode };
}

function bytecodeIn(value: object): string | undefined {
  const evm = 'evm' in value ? value.evm : undefined;
  const inner = typeof evm === 'object' && evm !== null && 'bytecode' in evm ? evm.bytecode : undefined;
  const found = 'bytecode' in value ? value.bytecode : inner;
  if (typeof found === 'string') return found.trim();
  const isObject = typeof found === 'object' && found !== null && 'object' in found;
  return isObject && typeof found.object === 'string' ? found.object.trim() : undefined;
}

/** The data of the transaction that creates the contract. Throws Error for arguments that the constructor does not take. */
export function creationData({ abi, bytecode }: Artifact, args: readonly string[]): string {
  const own = interfaceOf(abi);
  const { inputs } = own.deploy;
  return bytecode + own.encodeDeploy(argumentsOf(inputs, args, 'the constructor')).slice(2);
}
