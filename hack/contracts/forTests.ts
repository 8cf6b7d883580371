import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { loadSystemContracts, type SystemContracts } from '../../core/chains/systemContracts.ts';
import { loadTokenContracts, type TokenContracts } from '../../core/tokens/artifacts.ts';
import { projectRoot } from '../lib/paths.ts';
import { systemContractsFile, tokenContractsFolder } from './paths.ts';

/** The system contracts of the present sources, compiled first when need be, in a process of its own. */
export function systemContractsForTests(): SystemContracts {
  build();
  return loadSystemContracts(systemContractsFile);
}

/** The contracts that tokens need, likewise. */
export function tokenContractsForTests(): TokenContracts {
  build('tokens');
  return loadTokenContracts(tokenContractsFolder);
}

function build(...args: string[]): void {
  execFileSync(process.execPath, [join(projectRoot, 'hack', 'contracts.ts'), ...args], { stdio: 'pipe' });
}
