import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Token } from '../../../../sdk/src/generated/types.ts';
import { labelsText } from '../../forms/labels.ts';
import { absoluteTime } from '../../lib/time.ts';
import { fromSmallestUnits } from '../../lib/units.ts';
import { useInside, useMay } from '../../session/context.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm, type Question } from '../../ui/Confirm.tsx';
import { Icon } from '../../ui/Icon.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import { tell } from '../../ui/toasts.ts';
import { summaryOf } from '../tokens/matrix.ts';
import { texts } from './texts.ts';

export function Header({ token }: { token: Token }) {
  const { done, all, state } = summaryOf(token);
  return (
    <>
      <Link to="/tokens" className={page.back}>
        <Icon name="arrowLeft" /> {texts.back}
      </Link>
      <div className={page.head}>
        <h1>{token.symbol}</h1>
        <span className={page.muted} role="status">
          {texts.progress(done, all)}
        </span>
        <StateBadge state={state} />
        {useMay('tokens:write') && <Remove token={token} />}
      </div>
    </>
  );
}

function Remove({ token: { id, symbol } }: { token: Token }) {
  const { client } = useInside();
  const navigate = useNavigate();
  const [question, setQuestion] = useState<Question>();
  const ask = () =>
    setQuestion({
      title: texts.removeTitle(symbol),
      text: texts.removeText,
      action: texts.remove,
      isDanger: true,
      run: async () => {
        await client.tokens.delete(id);
        tell(texts.removed);
        await navigate({ to: '/tokens' });
      },
    });
  return (
    <>
      <Button icon="trash" look="danger" onClick={ask}>
        {texts.remove}
      </Button>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}

export function Facts({ token }: { token: Token }) {
  const { name, symbol, type, mechanism, decimals, total_supply, metadata, created_at, id } = token;
  const facts = [
    [texts.name, name],
    [texts.standard, [type, mechanism].filter(Boolean).join(', ')],
    [texts.supply, `${fromSmallestUnits(total_supply, decimals)} ${symbol}`],
    [texts.decimals, String(decimals)],
    [texts.labels, labelsText(metadata?.labels) || texts.none],
    [texts.created, absoluteTime(created_at)],
    [texts.id, id],
  ];
  return (
    <section className={surface.card} aria-label={texts.details}>
      <dl className={page.facts}>
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
