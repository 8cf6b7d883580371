import { kubeThrough, type Write } from '../../../core/kube/testing/mortalKube.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { IsFit, PluginStage } from './stage.ts';

const mostLives = 500;

/** Events only report what was done; a sender queue is written again by whoever comes. */
const uncounted: ReadonlySet<string> = new Set(['Event']);

/** Whether the writes of all steps of a plugin count, or of its first one only: the others are done in the same way. */
export type Deaths = 'at each step' | 'at the first step';

/**
 * Runs one operator after the other until the network is as it should be; returns how many there were. Each dies at a
 * write at which none has died yet: before it is sent, or after it was answered.
 */
export async function surviveDeaths(stage: PluginStage, isFit: IsFit, deaths: Deaths): Promise<number> {
  const met = new Set<string>();
  const markOf = deaths === 'at each step' ? markOfStep : markOfWrite;
  for (let lives = 1; lives <= mostLives; lives += 1) {
    const { operator, died, isDead } = live(stage, met, markOf);
    const over = new AbortController();
    const reached = stage.until(isFit, over.signal);
    await Promise.race([died, reached]);
    over.abort();
    const found = await reached;
    await operator.stop();
    if (isDead()) continue;
    if (found) return lives;
    throw new Error(`stuck in life ${lives}: ${JSON.stringify(stage.network()?.status)}`);
  }
  throw new Error(`not done within ${mostLives} lives`);
}

function live(stage: PluginStage, met: Set<string>, markOf: (write: Write) => string) {
  const death = Promise.withResolvers<void>();
  let isDead = false;
  const check = () => {
    if (isDead) throw new AppError('Unavailable', 'this operator is dead');
  };
  const meet = (moment: string) => {
    if (!isDead && !met.has(moment)) {
      met.add(moment);
      isDead = true;
      death.resolve();
    }
    check();
  };
  const kube = kubeThrough(stage.kube, {
    async read(ask) {
      check();
      return ask();
    },
    async write(write, send) {
      check();
      if (uncounted.has(write.type.kind)) return send();
      meet(`before ${markOf(write)}`);
      const answer = await send();
      meet(`after ${markOf(write)}`);
      return answer;
    },
  });
  return { operator: stage.operate(kube, () => isDead), died: death.promise, isDead: () => isDead };
}

interface Written {
  spec?: { steps?: Record<string, { state?: string | null }> };
  status?: { state?: string; plugins?: unknown };
}

/** What a write is about, in the same words for every life. */
function markOfStep(write: Write): string {
  const steps = stepsOf(write).map(([step, { state }]) => `${step} ${state ?? 'sent'}`);
  return `${markOfObject(write)} ${steps}`;
}

function markOfWrite(write: Write): string {
  const states = new Set(stepsOf(write).map(([, { state }]) => state ?? 'sent'));
  return `${markOfObject(write)} ${[...states]}`;
}

function stepsOf({ type, body = {} }: Write) {
  const { spec }: Written = body;
  return type.kind === 'Journal' ? Object.entries(spec?.steps ?? {}) : [];
}

function markOfObject({ verb, type, name, body = {} }: Write): string {
  const { status }: Written = body;
  if (type.kind === 'Outbox') return `${verb} Outbox`;
  if (type.kind !== 'Network') return `${verb} ${type.kind} ${name}`;
  const states = Object.values(status?.plugins ?? {}).map((entry: { state?: string }) => entry.state);
  return `${verb} Network ${status?.state} ${states}`;
}
