import { join } from 'node:path';
import { projectRoot } from '../lib/paths.ts';

/** The project's Solidity sources. */
export const sourceFolder = join(projectRoot, 'contracts');

/** The compiled system contracts: `{sources: hash, contracts: {name: runtime bytecode}}`. */
export const systemContractsFile = join(projectRoot, 'dist', 'contracts', 'system.json');

/** The compiled token contracts, one file per suite: `{contracts: {name: {abi, bytecode}}}`. */
export const tokenContractsFolder = join(projectRoot, 'dist', 'contracts', 'tokens');
