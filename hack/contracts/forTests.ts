import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { loadSystemContracts, type SystemContracts } from '../../core/chains/systemContracts.ts';
import { projectRoot } from '../lib/paths.ts';
import { systemContractsFile } from './paths.ts';

/** The system contracts of the present sources, compiled first when need be, in a process of its own. */
export function systemContractsForTests(): SystemContracts {
  execFileSync(process.execPath, [join(projectRoot, 'hack', 'contracts.ts')], { stdio: 'pipe' });
  return loadSystemContracts(systemContractsFile);
}
