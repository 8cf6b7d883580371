import { Empty } from '../../../../console/src/ui/Empty.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { texts } from '../texts.ts';

interface MissingProps {
  what: keyof typeof texts.missing;
  text?: string;
}

/** What the chain does not have. */
export function Missing({ what, text = texts.missingText }: MissingProps) {
  return (
    <div className={surface.card}>
      <Empty icon="search" title={texts.missing[what]} text={text} />
    </div>
  );
}
