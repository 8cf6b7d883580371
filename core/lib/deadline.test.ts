import { withDeadline } from './deadline.ts';
import { createManualClock } from './manualClock.ts';

describe('work with a deadline', () => {
  const endless = new Promise<string>(() => undefined);

  it('settles like the work when the work ends in time', async () => {
    const limit = { clock: createManualClock(0), limitMs: 100, onLate: () => 'late' };
    await expect(withDeadline(limit, Promise.resolve('done'))).resolves.toBe('done');
    await expect(withDeadline(limit, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('resolves with what onLate returns when the time limit is exceeded', async () => {
    const clock = createManualClock(0);
    const outcome = withDeadline({ clock, limitMs: 100, onLate: () => 'late' }, endless);
    clock.advance(100);
    await expect(outcome).resolves.toBe('late');
  });

  it('rejects with what onLate throws', async () => {
    const clock = createManualClock(0);
    const onLate = () => {
      throw new Error('took too long');
    };
    const outcome = expect(withDeadline({ clock, limitMs: 100, onLate }, endless)).rejects.toThrow(
      'took too long',
    );
    clock.advance(100);
    await outcome;
  });
});
