import { broadcast } from '../../../core/evm/broadcast.ts';
import { type Receipt, readReceipts } from '../../../core/evm/receipts.ts';
import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { messageOf } from '../../../core/lib/errors.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { SendRecord } from './records.ts';
import { type OpenSend, type Store, sendPage } from './store.ts';

export interface TrackerDeps {
  store: Store;
  rpc: EvmRpc;
  clock: Clock;
  log: Log;
}

export interface Tracker {
  /** Begins to follow what is open, also from before a restart. Returns immediately. */
  follow(): void;
  close(): Promise<void>;
}

const pollMs = 250;
/** Transactions that are not mined are sent again every so many polls: a node may have lost them. */
const resendEvery = 8;
/** Nodes index receipts a little later than they count nonces. */
const maxStrikes = 3;

/** Follows transactions until they are mined, or another one has used their nonce. */
export function createTracker(deps: TrackerDeps): Tracker {
  const { store, clock, log } = deps;
  const stop = new AbortController();
  const strikes = new Map<string, number>();
  let running: Promise<void> | undefined;
  const round = async (isResend: boolean) => {
    let page = store.openSends();
    while (page.length > 0 && !stop.signal.aborted) {
      await poll(deps, { page, strikes, isResend });
      page = page.length < sendPage ? [] : store.openSends(page.at(-1));
    }
  };
  const loop = async () => {
    for (let count = 1; !stop.signal.aborted && store.hasOpenSends(); count += 1) {
      await round(count % resendEvery === 0).catch((error: unknown) =>
        log.warn('cannot follow transactions', { reason: messageOf(error) }),
      );
      if (store.hasOpenSends()) await clock.sleep(pollMs, stop.signal).catch(() => undefined);
    }
  };
  const follow = (): void => {
    running ??= loop().finally(() => {
      running = undefined;
      // What became open after the last look.
      if (!stop.signal.aborted && store.hasOpenSends()) follow();
    });
  };
  return {
    follow,
    async close() {
      stop.abort();
      await running;
    },
  };
}

interface Round {
  page: readonly OpenSend[];
  strikes: Map<string, number>;
  isResend: boolean;
}

async function poll(deps: TrackerDeps, { page, strikes, isResend }: Round): Promise<void> {
  const receipts = await readReceipts(
    deps.rpc,
    page.map(({ hash }) => hash),
  );
  const missing = page.filter((send, index) => {
    const receipt = receipts[index];
    if (receipt) settle(deps, send, outcomeOf(deps, receipt));
    return !receipt;
  });
  if (!isResend || missing.length === 0) return;
  const results = await broadcast(
    deps.rpc,
    missing.map(({ raw }) => raw),
  );
  for (const [index, send] of missing.entries())
    noteResend(deps, { send, strikes, kind: results[index]?.kind });
}

interface Resend {
  send: OpenSend;
  strikes: Map<string, number>;
  kind: 'sent' | 'used' | 'refused' | 'unreached' | undefined;
}

function noteResend(deps: TrackerDeps, { send, strikes, kind }: Resend): void {
  const { store, clock } = deps;
  const record = store.find(send.kind, send.id);
  if (kind === 'sent' && record?.status === 'Pending') {
    store.update({
      ...record,
      status: 'Broadcasted',
      dateBroadcasted: new Date(clock.nowMs()).toISOString(),
    });
  }
  const count = kind === 'used' ? (strikes.get(send.id) ?? 0) + 1 : 0;
  if (count < maxStrikes) return void strikes.set(send.id, count);
  strikes.delete(send.id);
  settle(deps, send, { status: 'Failed', reason: 'another transaction used its nonce' });
}

function outcomeOf({ clock }: TrackerDeps, { isSuccess, gasUsed, gasPrice }: Receipt): Partial<SendRecord> {
  const fee = gasPrice === undefined ? {} : { fee: String(gasUsed * gasPrice) };
  const dateConfirmed = new Date(clock.nowMs()).toISOString();
  return isSuccess
    ? { status: 'Confirmed', dateConfirmed, ...fee }
    : { status: 'Failed', reason: 'the transaction was mined and failed', ...fee };
}

function settle({ store }: TrackerDeps, send: OpenSend, outcome: Partial<SendRecord>): void {
  store.atomically(() => {
    const record = store.find(send.kind, send.id);
    if (record) store.update({ ...record, ...outcome });
    store.removeSend(send.id);
  });
}
