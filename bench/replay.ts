import type { ReplayResponse } from '../core/api/rest/replay.ts';
import type { SceneNetwork } from '../core/outbox/testing/scene.ts';
import { createSigner } from '../core/signing/signer.ts';
import { startReplayOperator } from '../operator/replay/testing/operator.ts';
import { readRecorded } from '../test/integration/testing/recorded.ts';
import { startChainBed } from './lib/chainBed.ts';
import { percentile, round, writeReport } from './lib/report.ts';
import { measureBothMs } from './lib/timing.ts';
import { type Sender, sendRaw, writeTransactions } from './replay/record.ts';

/**
 * Replays a recording over REST on a new network, compared with signing the same transactions with the same threads and
 * sending them in raw batches to another network, until every receipt is available. The aim: at least 0.85 of the rate.
 */
const count = 10_000;
const rounds = 5;

const bed = await startChainBed();
const { kube, scene } = bed;
const stopOperator = await startReplayOperator({ kube, scene });
const signer = createSigner();
try {
  const source = await scene.addNetwork('source');
  const key = Buffer.from(scene.wallet.privateKey.slice(2), 'hex');
  const senderOn = ({ url, resource }: SceneNetwork): Sender => {
    const chainId = resource.status?.chainID ?? '';
    return { url, chainId, address: scene.wallet.address, key, signer };
  };
  await sendRaw(senderOn(source), await writeTransactions(senderOn(source), count));
  const transactions = await readRecorded(senderOn(source));
  const network = { chainId: '1', firstBlock: 1, lastBlock: count, transactions };
  const replayDocument = { version: 'slipway.replay/v1', networks: { [source.id]: network } };
  const raw: number[] = [];
  const replayed: number[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const [one, other] = [await scene.addNetwork(`raw-${turn}`), await scene.addNetwork(`replay-${turn}`)];
    const own = await writeTransactions(senderOn(one), count);
    const body = { replayDocument, networkMapping: { [source.id]: other.id } };
    const [rawMs, replayMs] = await measureBothMs(
      turn,
      () => sendRaw(senderOn(one), own),
      () => replay(body),
    );
    raw.push((count * 1000) / rawMs);
    replayed.push((count * 1000) / replayMs);
    console.log(`raw ${round(raw.at(-1) ?? 0)} tx/s, replay ${round(replayed.at(-1) ?? 0)} tx/s`);
  }
  const sides = {
    rawPerSecond: round(percentile(raw, 0.5)),
    replayPerSecond: round(percentile(replayed, 0.5)),
  };
  const ratio = round(
    percentile(
      replayed.map((rate, turn) => rate / (raw[turn] ?? rate)),
      0.5,
    ),
  );
  const result = { aim: 'ratio ≥ 0.85', transactions: count, rounds, ...sides, ratio };
  console.log(JSON.stringify(result, null, 2));
  writeReport('replay', result);
} finally {
  await signer.close();
  await stopOperator();
  await bed.stop();
}

async function replay(body: object): Promise<void> {
  const answer = await fetch(`${bed.url}/recording/replay`, {
    method: 'POST',
    headers: bed.headers,
    body: JSON.stringify(body),
  });
  const { success, totalTransactions, transactions } = (await answer.json()) as ReplayResponse;
  if (success && totalTransactions === count) return;
  const mismatch = Object.values(transactions ?? {})
    .flat()
    .find(({ match }) => !match);
  throw new Error(`${answer.status} ${JSON.stringify(mismatch)}`);
}
