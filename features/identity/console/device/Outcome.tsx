import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../../console/src/ui/Button.tsx';
import { Empty } from '../../../../console/src/ui/Empty.tsx';
import { texts } from './texts.ts';

interface OutcomeProps {
  name: string;
  isApproved: boolean;
}

/** The terminal goes on by itself. */
export function Outcome({ name, isApproved }: OutcomeProps) {
  if (!isApproved)
    return <Empty isPage icon="close" title={texts.deniedTitle(name)} text={texts.deniedText} />;
  return (
    <Empty isPage icon="check" title={texts.approvedTitle(name)} text={texts.approvedText}>
      <Link to="/settings/api-keys" className={buttonClass()}>
        {texts.keys}
      </Link>
    </Empty>
  );
}
