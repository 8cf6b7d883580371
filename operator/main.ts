import { runProcess, stopRequested } from '../core/lib/process.ts';
import { assembleOperator } from './assemble.ts';
import { readSettings } from './settings.ts';

async function main(): Promise<void> {
  const operator = await assembleOperator(readSettings());
  operator.start();
  await stopRequested();
  await operator.stop();
}

runProcess('operator', main);
