import { createWantedBoard, type WantedBoard } from './board.ts';

let board: WantedBoard;
let changes: number;
beforeEach(() => {
  board = createWantedBoard();
  changes = 0;
  board.onChange(() => {
    changes += 1;
  });
});
const all = () => Object.fromEntries(board.all());

describe('what networks wait for', () => {
  it('is what any of them waits for, since the last one that began to', () => {
    board.set('a', ['geth', 'prysm'], 1);
    board.set('b', ['geth'], 2);
    expect(all()).toEqual({ geth: 2, prysm: 1 });
    expect(board.waiting()).toEqual(['a', 'b']);
  });

  it('is no longer wanted when the last one is gone, or has what it waited for', () => {
    board.set('a', ['geth', 'prysm'], 1);
    board.set('b', ['geth'], 2);
    board.set('a', [], 3);
    expect(all()).toEqual({ geth: 2 });
    board.set('b', [], 4);
    expect([all(), board.waiting()]).toEqual([{}, []]);
  });

  it('stays the same while a network waits, and nobody is told', () => {
    board.set('a', ['geth'], 1);
    board.set('a', ['geth'], 60_000);
    board.set('b', [], 60_000);
    expect([all(), changes]).toEqual([{ geth: 1 }, 1]);
  });

  it('is since later for what a network begins to wait for later', () => {
    board.set('a', ['geth'], 1);
    board.set('a', ['geth', 'graph'], 9);
    expect(all()).toEqual({ geth: 1, graph: 9 });
  });
});

describe('under a new leader, what networks wait for', () => {
  beforeEach(() => {
    board.begin(['a', 'b']);
    board.inherit(
      new Map([
        ['geth', 1],
        ['solana', 2],
      ]),
    );
  });

  it('stays wanted until all networks were looked at', () => {
    expect(all()).toEqual({ geth: 1, solana: 2 });
    board.set('a', [], 9);
    expect(all()).toEqual({ geth: 1, solana: 2 });
    board.set('b', ['geth'], 9);
    expect(all()).toEqual({ geth: 1 });
    expect(changes).toBe(1);
  });

  it('is not wanted again, except for a network that is new', () => {
    board.set('a', ['geth'], 9);
    board.set('b', [], 9);
    expect(all()).toEqual({ geth: 1 });
    board.set('c', ['geth'], 10);
    expect(all()).toEqual({ geth: 10 });
  });

  it('is not wanted again by networks that were looked at before it was read', () => {
    board.begin(['a']);
    board.set('a', ['geth', 'graph'], 9);
    board.inherit(new Map([['geth', 1]]));
    expect(all()).toEqual({ geth: 1, graph: 9 });
  });

  it('forgets what the term before knew', () => {
    board.set('a', ['geth'], 9);
    board.begin([]);
    expect(all()).toEqual({});
  });
});
