import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { texts } from './texts.ts';

interface NotFoundTexts {
  title?: string;
  text?: string;
}

export function NotFound({ title = texts.notFoundTitle, text = texts.notFoundText }: NotFoundTexts) {
  return (
    <Empty isPage icon="search" title={title} text={text}>
      <Link to="/networks" className={buttonClass()}>
        {texts.toNetworks}
      </Link>
    </Empty>
  );
}
