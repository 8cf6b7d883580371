import { buildSystemContracts } from './build.ts';
import { buildTokenContracts } from './tokens.ts';

/** `node hack/contracts/main.ts [tokens]`: compiles the system contracts or the token contracts and prints the output path. */
try {
  console.log(process.argv.includes('tokens') ? await buildTokenContracts() : buildSystemContracts());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
