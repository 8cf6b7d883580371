import controls from '../../../../console/src/ui/controls.module.css';
import { Icon } from '../../../../console/src/ui/Icon.tsx';
import { texts } from '../texts.ts';

/** How a transaction ended, by icon and text. */
export function Outcome({ isSuccess }: { isSuccess: boolean | undefined }) {
  if (isSuccess === undefined) {
    return (
      <span className={`${controls.badge} ${controls.busy}`}>
        <Icon name="clock" />
        {texts.pending}
      </span>
    );
  }
  return (
    <span className={`${controls.badge} ${isSuccess ? controls.good : controls.bad}`}>
      <Icon name={isSuccess ? 'check' : 'alert'} />
      {isSuccess ? texts.success : texts.reverted}
    </span>
  );
}
