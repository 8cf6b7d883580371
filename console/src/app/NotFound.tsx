import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { texts } from './texts.ts';
import { usePageTitle } from './usePageTitle.ts';

interface NotFoundTexts {
  title?: string;
  text?: string;
  /** The list that has what is there. */
  list?: keyof typeof texts.lists;
}

export function NotFound({
  title = texts.notFoundTitle,
  text = texts.notFoundText,
  list = '/networks',
}: NotFoundTexts) {
  return (
    <Empty isPage icon="search" title={title} text={text}>
      <Link to={list} className={buttonClass()}>
        {texts.lists[list]}
      </Link>
    </Empty>
  );
}

/** At an address where the console has no page. */
export function NoPage() {
  usePageTitle(texts.notFoundTitle);
  return <NotFound />;
}
