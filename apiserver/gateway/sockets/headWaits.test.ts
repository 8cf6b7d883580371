import { createHeadWaits } from './headWaits.ts';

const head = Buffer.from('{"method":"eth_subscription","params":{"result":{"parentHash":"0x1"}}}');
const blockUses = new Set(['subscribe'] as const);

/** A connection that subscribes, and what it waits for. */
function subscribed() {
  const noted: string[] = [];
  const confirmations = {
    beforePoll: () => undefined,
    noteControl: () => undefined,
    watch: () => ({ isWaiting: () => void noted.push('waiting'), end: () => void noted.push('end') }),
  };
  const waits = createHeadWaits({ confirmations }, { networkUid: 'net', access: 'public' });
  waits.noteAsked({ blockUses });
  return { noted, waits };
}

it('a client waits for the next block once it has subscribed, and after each block', () => {
  const { noted, waits } = subscribed();
  waits.noteSent(head);
  waits.noteSent(Buffer.from('{"id":1}'));
  expect(noted).toEqual(['waiting', 'waiting']);
});

it('a block that is the answer to a call is none that a subscriber is told of', () => {
  const { noted, waits } = subscribed();
  waits.noteSent(Buffer.from('{"id":"eth_subscription","result":{"parentHash":"0x1"}}'));
  expect(noted).toEqual(['waiting']);
});

it('nobody waits for a block that arrives after the client has gone', () => {
  const { noted, waits } = subscribed();
  waits.end();
  waits.noteSent(head);
  expect(noted).toEqual(['waiting', 'end']);
});
