import { isNotification } from './notification.ts';

const large = JSON.stringify('x'.repeat(1000));

it.each([
  [
    'of geth and anvil',
    '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":{}}}',
  ],
  ['of Solana', ' { "jsonrpc" : "2.0", "method":"slotNotification","params":{"id":1,"error":2}}'],
  [
    'whose method comes late',
    `{"params":{"result":${large},"id":1},"jsonrpc":"2.0","method":"eth_subscription"}`,
  ],
])('a notification %s', (_whose, text) => {
  expect(isNotification(Buffer.from(text))).toBe(true);
});

it.each([
  ['an id that is the name of a method', '{"jsonrpc":"2.0","id":"eth_subscription","result":"0x"}'],
  ['an id that is "method"', '{"jsonrpc":"2.0","id":"method","result":{"method":"eth_subscription"}}'],
  ['a result with such a text', `{"result":{"method":"eth_subscription","a":${large}},"id":1}`],
  ['a long result first', `{"jsonrpc":"2.0","result":${large},"id":"eth_subscription"}`],
  ['an error', '{"jsonrpc":"2.0","error":{"code":1,"message":"method"},"id":null}'],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"result":"0x"}]'],
  ['what is not JSON', 'method'],
  ['what ends too soon', '{"jsonrpc":"2.0"'],
  ['nothing', ''],
])('no notification: %s', (_reason, text) => {
  expect(isNotification(Buffer.from(text))).toBe(false);
});
