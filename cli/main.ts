import { createProcessIo } from './io/processIo.ts';
import { run } from './run.ts';

const io = createProcessIo();
// The launcher of the plugin of kubectl says that it is one, for help and messages.
const code = await run(io.env.SLIPWAY_PROGRAM || 'slipway', process.argv.slice(2), io);
// Kept connections would hold the process for seconds. What cannot be written ends it as well.
process.stdout.write('', (error) => {
  if (!error) process.exit(code);
});
