import { cct } from './cct/definition.ts';
import { erc20 } from './erc20/definition.ts';
import { erc3643 } from './erc3643/definition.ts';
import { oft } from './oft/definition.ts';

/** The registry: every token standard by its definition, in the order in which the API lists them. */
export const tokenDefinitions = [erc20, erc3643, cct, oft] as const;
