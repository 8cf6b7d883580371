import { formatDuration } from '../lib/format.ts';
import { type JobState, jobLog } from './job.ts';

/** The background build of engines, in lines for people. */
export function describeJob(job: JobState & { isRunning: boolean }, nowMs: number): string[] {
  const { building, waiting, built, failed, isRunning } = job;
  const list = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${title}: ${names.join(', ')}`];
  return [
    ...(building && isRunning
      ? [`building: ${building.engine}, for ${formatDuration(nowMs - Date.parse(building.since))}`]
      : []),
    ...list(isRunning ? 'to build' : 'not built, run `make up` again', remaining(job, waiting)),
    ...list('built', built),
    ...Object.entries(failed).map(([engine, reason]) => `failed: ${engine}: ${reason.split('\n')[0]}`),
    ...(isRunning || Object.keys(failed).length > 0 ? [`log: ${jobLog}`] : []),
  ];
}

/** A job that was killed leaves what it was building as well. */
function remaining({ building, isRunning }: JobState & { isRunning: boolean }, waiting: readonly string[]) {
  return building && !isRunning ? [building.engine, ...waiting] : waiting;
}
