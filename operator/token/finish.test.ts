import type { DeploymentStatus } from '../../core/api/resources/tokenResource.ts';
import { createKnown } from '../../core/deploy/known.ts';
import type { StepOutcome } from '../../core/deploy/runner.ts';
import type { CallStep } from '../../core/deploy/step.ts';
import { finish } from './finish.ts';
import type { PlannedDeployment } from './planned.ts';

const aDeployment = (network: string, more: Partial<DeploymentStatus> = {}): DeploymentStatus => ({
  network,
  networkID: `uid-${network}`,
  state: 'Deployed',
  connected: ['b'],
  ...more,
});
const aStep = (network: string, after: CallStep['after'] = []): CallStep => ({
  kind: 'call',
  network,
  name: 'step',
  title: 'calls',
  scope: 's',
  signer: 'deployer',
  after,
  transaction: () => undefined,
  reads: () => [],
});

/** What is reported of a deployment on `a` whose step waits for one on `b`. */
async function reportedOn(
  a: DeploymentStatus,
  onB: StepOutcome,
  isRolledBack = false,
): Promise<DeploymentStatus | undefined> {
  let deployments = [a, aDeployment('b')];
  const planned = deployments.map(
    (status): PlannedDeployment => ({
      status,
      name: status.network,
      enclaveID: 'one',
      isRolledBack,
      network: { id: status.network, incarnation: 'one', args: {} },
    }),
  );
  const outcomes = new Map<string, StepOutcome>([
    ['a/step', { state: 'blocked', by: 'b/step' }],
    ['b/step', onB],
  ]);
  await finish({
    planned,
    steps: [aStep('a', ['b/step']), aStep('b')],
    uid: 'token',
    isConnected: true,
    result: { known: createKnown(), outcomes },
    onUsable: () => Promise.resolve(),
    async updateStatus(_uid, change) {
      deployments = change(deployments, {} as never);
    },
  }).catch(() => undefined);
  return deployments.find(({ network }) => network === 'a');
}

const away: StepOutcome = { state: 'retry', message: 'is away' };
const failed: StepOutcome = { state: 'failed', message: 'reverted' };

it('what was found undone on a network stays known while another one does not answer', async () => {
  const message = 'rolled back: deploy the token again';
  expect(await reportedOn(aDeployment('a', { message }), away)).toMatchObject({ message });
});

it('a repair goes on while another network does not answer, and ends when something failed there', async () => {
  const repaired = aDeployment('a', { message: 'retrying', isRepaired: true });
  expect(await reportedOn(repaired, away)).toMatchObject({ message: 'retrying', isRepaired: true });
  const ended = await reportedOn(repaired, failed);
  expect([ended?.message, ended?.isRepaired]).toEqual([undefined, undefined]);
});

it('a deployment whose chain was rolled back is connected to nothing until all of its steps are done', async () => {
  expect(await reportedOn(aDeployment('a'), away, true)).toMatchObject({ connected: [] });
  expect(await reportedOn(aDeployment('a'), away)).toMatchObject({ connected: ['b'] });
});
