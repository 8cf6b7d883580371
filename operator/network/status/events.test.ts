import { aNetwork } from '../testing/facts.ts';
import { eventsOf } from './events.ts';

const network = aNetwork();
const pending = {
  state: 'Pending',
  message: 'starting',
  execution: { currentStep: 3, totalSteps: 4 },
} as const;
const running = {
  state: 'Operational',
  message: 'running',
  execution: { currentStep: 4, totalSteps: 4 },
} as const;
const told = (before: object | undefined, next: Parameters<typeof eventsOf>[1]) =>
  eventsOf({ ...network, ...(before ? { status: before } : {}) }, next).map(
    ({ reason, message }) => `${reason}: ${message}`,
  );

it('tells the steps that are reached at once in one Event', () => {
  expect(told(undefined, pending)).toEqual([
    'Step: steps 1 to 3 of 4: resolve keys and sources; write the genesis; start the engine',
  ]);
});

it('tells the last steps with the state that they end in', () => {
  expect(told(pending, running)).toEqual([
    'Operational: Operational: running; step 4 of 4: wait for the first answer',
  ]);
});

it('tells a step that ends later by itself', () => {
  const waiting = { ...pending, execution: running.execution };
  expect(told(pending, waiting)).toEqual(['Step: step 4 of 4: wait for the first answer']);
  expect(told(waiting, running)).toEqual(['Operational: Operational: running']);
});
