import { buildSystemContracts } from './contracts/build.ts';

/** `node hack/contracts.ts`: compiles the system contracts and names the file. */
try {
  console.log(buildSystemContracts());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
