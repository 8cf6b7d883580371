import { reach } from '../../e2e/lib/networks.ts';
import type { Answer } from '../../e2e/lib/service.ts';
import type { SoakNetwork } from './operations.ts';
import * as operations from './operations.ts';

/** How often each operation comes in a round of 100. */
const shares = { submit: 60, read: 10, list: 5, rpc: 10, secret: 10, recording: 4, rotate: 1 } as const;
type OperationName = keyof typeof shares;

/** Networks that receive transactions; the others have no calls until they have stopped. */
const activeCount = 3;
/** Networks that wait to be stopped. A rotation takes ten seconds, so the oldest has been idle for 100 s. */
const idleCount = 10;

/** What the load has done so far. */
export interface Tally {
  done: Record<string, number>;
  /** 429 responses with Retry-After: announced, and not an error. */
  throttled: number;
  errors: string[];
}

/** The state of the load: live networks and what is open on them. */
export interface Load {
  tally: Tally;
  /** Starts the next operation; resolves when it ends. Never rejects. */
  next(): Promise<void>;
  /** Deletes everything that the load created. */
  close(): Promise<void>;
}

/** A mix of all operations over networks that are created, used, stopped, woken and deleted in turn. */
export async function createLoad(from: string): Promise<Load> {
  const tally: Tally = { done: {}, throttled: 0, errors: [] };
  const active: SoakNetwork[] = [];
  const idle: SoakNetwork[] = [];
  /** All that exist, also those that did not become Operational. */
  const created = new Set<string>();
  const secrets: string[] = [];
  const recordings: string[] = [];
  const round = createRound();
  let turn = 0;

  const pick = (): SoakNetwork => {
    const network = active[turn % active.length];
    if (!network) throw new Error('no active network');
    return network;
  };
  const check = (name: string, answer: Answer): Answer | undefined => {
    if (answer.status === 429 && answer.headers.get('retry-after')) tally.throttled += 1;
    else if (answer.status >= 300)
      tally.errors.push(`${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    else return answer;
    return undefined;
  };

  async function addNetwork(): Promise<void> {
    const answer = check('create', await operations.createNetwork());
    if (!answer) return;
    const { id } = answer.body;
    created.add(id);
    await reach(id, 'Operational', 120_000);
    active.push({ id, rpc: await operations.readRpc(id) });
  }

  async function endOldest(): Promise<void> {
    const oldest = idle.shift();
    if (!oldest) return;
    await reach(oldest.id, 'Stopped', 120_000);
    check('wake', await operations.askChain(oldest.rpc));
    tally.done.wake = (tally.done.wake ?? 0) + 1;
    if (check('delete', await operations.deleteNetwork(oldest.id))) created.delete(oldest.id);
  }

  const perform: Record<OperationName, () => Promise<unknown>> = {
    submit: async () => check('submit', await operations.submit(pick().id, from)),
    read: async () => check('read', await operations.readNetwork(pick().id)),
    list: async () => check('list', await operations.listNetworks()),
    rpc: async () => check('rpc', await operations.askChain(pick().rpc)),
    async secret() {
      const known = secrets.shift();
      if (known) return check('delete secret', await operations.deleteSecret(known));
      const answer = check('secret', await operations.createSecret());
      return answer && secrets.push(answer.body.id);
    },
    async recording() {
      const known = recordings.shift();
      if (known) {
        check('stop', await operations.stopRecording(known));
        return check('delete recording', await operations.deleteRecording(known));
      }
      const answer = check('record', await operations.startRecording(pick().id, from));
      return answer && recordings.push(answer.body.recordingId);
    },
    async rotate() {
      await addNetwork();
      const oldest = active.length > activeCount ? active.shift() : undefined;
      if (oldest) idle.push(oldest);
      if (idle.length > idleCount) await endOldest();
    },
  };

  await Promise.all(Array.from({ length: activeCount }, addNetwork));
  return {
    tally,
    async next() {
      const name = round[turn++ % round.length] ?? 'read';
      try {
        await perform[name]();
        tally.done[name] = (tally.done[name] ?? 0) + 1;
      } catch (error) {
        tally.errors.push(`${name}: ${String(error).slice(0, 300)}`);
      }
    },
    async close() {
      for (const id of recordings) await operations.deleteRecording(id);
      for (const id of secrets) await operations.deleteSecret(id);
      for (const id of created) await operations.deleteNetwork(id);
    },
  };
}

/** One hundred operations, each kind spread evenly. */
function createRound(): OperationName[] {
  const names = Object.keys(shares) as OperationName[];
  const slots = names.flatMap((name) =>
    Array.from({ length: shares[name] }, (_, index) => ({ name, at: (index + 0.5) / shares[name] })),
  );
  return slots.toSorted((a, b) => a.at - b.at).map(({ name }) => name);
}
