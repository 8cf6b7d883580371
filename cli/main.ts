import { basename } from 'node:path';
import { createProcessIo } from './io/processIo.ts';
import { run } from './run.ts';

/** `slipway ...`, or `kubectl slipway ...` when kubectl starts it as a plugin. */
const program = basename(process.argv[1] ?? '').startsWith('kubectl-slipway') ? 'kubectl slipway' : 'slipway';
const code = await run(program, process.argv.slice(2), createProcessIo());
// Kept connections would hold the process for seconds.
process.stdout.write('', () => process.exit(code));
