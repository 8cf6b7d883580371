import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** Our Solidity sources. */
export const sourceFolder = join(projectRoot, 'contracts');

/** What they compile to: `{sources: hash, contracts: {name: runtime bytecode}}`. */
export const systemContractsFile = join(projectRoot, 'dist', 'contracts', 'system.json');

/** The contracts that tokens need, one file a suite: `{contracts: {name: {abi, bytecode}}}`. */
export const tokenContractsFolder = join(projectRoot, 'dist', 'contracts', 'tokens');
