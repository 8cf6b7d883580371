import { readState } from './state.ts';

export interface EtcdEntry {
  key: Buffer;
  value: Buffer;
}

const zeroByte = Buffer.alloc(1).toString('base64');

/**
 * All entries in the etcd of a test environment, as stored.
 * Source of the format: etcd's JSON gateway, https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/
 */
export async function dumpEtcd(stateFile: string): Promise<EtcdEntry[]> {
  const answer = await fetch(`${readState(stateFile).etcdUrl}/v3/kv/range`, {
    method: 'POST',
    // From the first key to the last.
    body: JSON.stringify({ key: zeroByte, range_end: zeroByte }),
  });
  if (!answer.ok) throw new Error(`etcd answered ${answer.status}: ${await answer.text()}`);
  const { kvs } = (await answer.json()) as { kvs: { key: string; value: string }[] };
  return kvs.map(({ key, value }) => ({ key: bytesOf(key), value: bytesOf(value) }));
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
