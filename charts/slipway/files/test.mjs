// Run by `helm test`: the API rejects requests without a valid key and accepts the bootstrap key.
import { readFileSync } from 'node:fs';

const { SLIPWAY_URL: url } = process.env;
const read = (name) => readFileSync(`/etc/slipway/bootstrap/${name}`, 'utf8').trim();
const id = read('keyId');
const secret = read('keySecret');
const cases = [
  { reason: 'without a key', headers: {}, status: 401 },
  {
    reason: 'with a wrong secret',
    headers: { 'X-API-Key-ID': id, 'X-API-Key-Secret': 'wrong' },
    status: 401,
  },
  { reason: 'with the key pair', headers: { 'X-API-Key-ID': id, 'X-API-Key-Secret': secret }, status: 200 },
  { reason: 'with the token', headers: { Authorization: `Bearer ${id}.${secret}` }, status: 200 },
];
let failures = 0;
for (const { reason, headers, status } of cases) {
  const answer = await fetch(`${url}/v1alpha/networks`, { headers, signal: AbortSignal.timeout(10_000) });
  const body = await answer.json();
  const kind = status === 200 ? 'NetworkList' : 'Error';
  const isExpected = answer.status === status && body.kind === kind;
  if (!isExpected) failures += 1;
  console.log(
    `${isExpected ? 'ok' : 'FAILED'}: ${reason}: got ${answer.status} ${body.kind}, expected ${status} ${kind}`,
  );
}
process.exit(failures === 0 ? 0 : 1);
