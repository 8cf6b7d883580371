import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { loadSystemContracts, type SystemContracts } from '../../core/chains/systemContracts.ts';
import { loadTokenContracts, type TokenContracts } from '../../core/deploy/artifacts.ts';
import { systemContractsFile, tokenContractsFolder } from './paths.ts';

let systemContracts: SystemContracts | undefined;

/** The system contracts of the current sources, compiled in a separate process if needed. */
export function systemContractsForTests(): SystemContracts {
  if (!systemContracts) build();
  systemContracts ??= loadSystemContracts(systemContractsFile);
  return systemContracts;
}

let tokenContracts: TokenContracts | undefined;

/** The token contracts of the current sources, compiled in a separate process if needed. */
export function tokenContractsForTests(): TokenContracts {
  if (!tokenContracts) build('tokens');
  tokenContracts ??= loadTokenContracts(tokenContractsFolder);
  return tokenContracts;
}

function build(...args: string[]): void {
  execFileSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { stdio: 'pipe' });
}
