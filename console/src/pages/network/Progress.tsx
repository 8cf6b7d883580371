import type { Network } from '../../../../sdk/src/generated/types.ts';
import { Banner } from '../../ui/Banner.tsx';
import { stateOf } from '../networks/filter.ts';
import styles from './network.module.css';
import { texts } from './texts.ts';

/** What the network does now, if that is not its usual state. */
export function Progress({ network }: { network: Network }) {
  const state = stateOf(network);
  const { message = '' } = network.status ?? {};
  if (state === 'Pending' || state === 'Stopping') return <Starting network={network} />;
  if (state === 'Stopped') {
    return (
      <Banner look="plain" icon="sleep" title={texts.stoppedTitle}>
        {message && <span>{message}</span>}
        <span>{texts.stoppedText}</span>
      </Banner>
    );
  }
  if (state === 'Error') {
    return (
      <Banner look="bad" icon="alert" title={texts.errorTitle}>
        <span>{message}</span>
      </Banner>
    );
  }
  return null;
}

function Starting({ network }: { network: Network }) {
  const { message = '', execution } = network.status ?? {};
  const { currentStep = 0, totalSteps = 0, output } = execution ?? {};
  const isKnown = totalSteps > 0 && stateOf(network) === 'Pending';
  return (
    <Banner look="busy" icon="clock" title={isKnown ? texts.stepOf(currentStep, totalSteps) : texts.starting}>
      {message && <span>{message}</span>}
      {isKnown && (
        <progress
          className={styles.progress}
          value={currentStep}
          max={totalSteps}
          aria-label={texts.starting}
        />
      )}
      {output && output !== message && <pre className={styles.output}>{output}</pre>}
    </Banner>
  );
}
