import { buildSystemContracts } from './contracts/build.ts';
import { buildTokenContracts } from './contracts/tokens.ts';

/** `node hack/contracts.ts`: compiles the system contracts and names the file; `tokens`: those of tokens. */
try {
  console.log(process.argv.includes('tokens') ? await buildTokenContracts() : buildSystemContracts());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
