import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useInside, useMay } from '../../session/context.tsx';
import { Failure } from '../../ui/Banner.tsx';
import { Snippets } from '../../ui/code/Snippets.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/Icon.tsx';
import surface from '../../ui/surface.module.css';
import { toBody } from '../create/form.ts';
import { snippetsOf } from '../create/snippets.ts';
import { useCreate } from '../create/useCreate.ts';
import styles from './firstUse.module.css';
import { type Starter, starterForm, starters } from './starters.ts';
import { texts } from './texts.ts';

/** What a workspace without networks shows: one click to a network that runs. */
export function FirstUse() {
  if (!useMay('networks:write')) {
    return (
      <div className={surface.card}>
        <Empty icon="network" title={texts.emptyReaderTitle} text={texts.emptyReader} />
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <section className={styles.start} aria-label={texts.emptyTitle}>
        <h2>{texts.emptyTitle}</h2>
        <p className={styles.muted}>{texts.emptyText}</p>
        <Starters />
        <Link to="/networks/new" className={styles.other}>
          {texts.otherChains}
        </Link>
      </section>
      <Next />
      <Terminal />
    </div>
  );
}

function Starters() {
  const create = useCreate();
  const [chosen, setChosen] = useState<Starter>();
  const start = (type: Starter) => {
    if (create.isPending) return;
    setChosen(type);
    const { form, newKey } = starterForm(type);
    create.mutate({ body: toBody(form), newKey });
  };
  return (
    <>
      {create.error && <Failure error={create.error} />}
      <ul className={styles.starters}>
        {starters.map((type) => {
          const isStarting = create.isPending && chosen === type;
          return (
            <li key={type}>
              <button
                type="button"
                className={styles.starter}
                aria-disabled={create.isPending || undefined}
                onClick={() => start(type)}
              >
                <span className={styles.starterName}>
                  {isStarting ? texts.starting : type}
                  <Icon name={isStarting ? 'loader' : 'play'} isSpinning={isStarting} />
                </span>
                <span className={styles.muted}>{texts.starters[type]}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Next() {
  return (
    <section aria-label={texts.steps}>
      <ol className={styles.next}>
        {texts.nextSteps.map(([title, text]) => (
          <li key={title}>
            <h3>{title}</h3>
            <p className={styles.muted}>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The same for people who prefer a terminal. */
function Terminal() {
  const { me } = useInside();
  const [{ form }] = useState(() => starterForm('Base'));
  const snippets = snippetsOf(toBody({ ...form, key: { mode: 'none' } }), me.workspace?.id ?? '');
  return (
    <section className={`${surface.card} ${surface.cardBody}`} aria-label={texts.orElse}>
      <h2>{texts.orElse}</h2>
      <Snippets label={texts.orElse} snippets={snippets} chosen="CLI" />
    </section>
  );
}
