import { Counter, Incremented } from '../generated/Counter/Counter';
import { Click, Clicker } from '../generated/schema';

export function handleIncremented(event: Incremented): void {
  const click = new Click(event.transaction.hash.concatI32(event.logIndex.toI32()));
  click.by = event.params.by;
  click.count = event.params.count;
  click.block = event.block.number;
  // An eth_call of graph-node, besides what the event says.
  click.counterName = Counter.bind(event.address).name();
  click.save();

  let clicker = Clicker.load(event.params.by);
  if (clicker == null) {
    clicker = new Clicker(event.params.by);
    clicker.clicks = 0;
  }
  clicker.clicks += 1;
  clicker.save();
}
