import { setTimeout as pause } from 'node:timers/promises';

const sends = new Set(['eth_sendTransaction', 'eth_sendRawTransaction']);

/** The tests expect what they send to be mined at once, as in Hardhat's own network. A node mines it right after its answer. */
export default async () => ({
  async onRequest(context, connection, request, next) {
    const answer = await next(context, connection, request);
    if (!sends.has(request.method) || !answer.result) return answer;
    const params = [answer.result];
    const receipt = { jsonrpc: '2.0', id: request.id, method: 'eth_getTransactionReceipt', params };
    while (!(await next(context, connection, receipt)).result) await pause(5);
    return answer;
  },
});
