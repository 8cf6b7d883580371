import { usePageTitle } from '../../../../console/src/app/usePageTitle.ts';
import { Empty } from '../../../../console/src/ui/Empty.tsx';
import surface from '../../../../console/src/ui/surface.module.css';
import { useExplored } from '../context.tsx';
import { texts } from '../texts.ts';

interface MissingProps {
  what: keyof typeof texts.missing;
  text?: string;
}

/** What the chain does not have. */
export function Missing({ what, text = texts.missingText }: MissingProps) {
  usePageTitle(texts.titleOn(texts.missing[what], useExplored().network.name));
  return (
    <div className={surface.card}>
      <Empty icon="search" title={texts.missing[what]} text={text} />
    </div>
  );
}
