import { createStages } from './stages.ts';

it('says which stage begins, how long the run has taken, and what is left', () => {
  const lines: string[] = [];
  let nowMs = 1_000;
  const stages = createStages(['the cluster', 'the images', 'the demo'], {
    nowMs: () => nowMs,
    print: (line) => lines.push(line.trim()),
  });
  stages.next();
  nowMs += 64_000;
  stages.next();
  nowMs += 1_500;
  stages.next();
  expect(lines).toEqual([
    '[1/3] the cluster (then the images, the demo)',
    '[2/3] the images (after 1 min 4 s; then the demo)',
    '[3/3] the demo (after 1 min 6 s)',
  ]);
});
