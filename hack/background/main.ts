import { setPriority } from 'node:os';
import { identify } from '../lib/processes.ts';
import { buildEngines, isHeavyEngine } from '../up/heavyEngines.ts';
import { installEngine, keepChart } from './install.ts';
import { type JobState, writeJob } from './job.ts';

/** `node hack/background/main.ts ENGINE...`: builds and installs engines one after another, at the lowest priority. */
setPriority(19);
const self = identify(process.pid);
if (!self) throw new Error('this process does not exist');
const wanted = process.argv.slice(2).filter(isHeavyEngine);
let state: JobState = { process: self, waiting: wanted, built: [], failed: {} };

function note(change: Partial<JobState>): void {
  state = { ...state, ...change };
  writeJob(state);
}

keepChart();
for (const engine of wanted) {
  const waiting = state.waiting.filter((other) => other !== engine);
  note({ building: { engine, since: new Date().toISOString() }, waiting });
  try {
    await buildEngines([engine]);
    await installEngine(engine);
    note({ building: undefined, built: [...state.built, engine] });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(reason);
    note({ building: undefined, failed: { ...state.failed, [engine]: reason } });
  }
}
