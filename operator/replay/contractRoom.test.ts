import { createContractRoom, roomIsFull } from './contractRoom.ts';

it('an account leaves as much free as it has, and gets it back when a run is done', () => {
  const open = createContractRoom(10);
  const [first, second, other] = [open('ann'), open('ann'), open('ben')];
  for (let at = 0; at < 3; at++) first.add();
  for (let at = 0; at < 2; at++) second.add();
  expect(second.add).toThrow(roomIsFull);
  for (let at = 0; at < 2; at++) other.add();
  first.close();
  second.add();
});
