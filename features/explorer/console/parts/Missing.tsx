import { Empty } from '../../../../console/src/ui/Empty.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { texts } from '../texts.ts';

/** What the chain does not have. */
export function Missing({ what }: { what: keyof typeof texts.missing }) {
  return (
    <div className={surface.card}>
      <Empty icon="search" title={texts.missing[what]} text={texts.missingText} />
    </div>
  );
}
