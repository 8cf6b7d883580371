import { useState } from 'react';
import type { Recording, ReplayResponse } from '../../../../sdk/src/generated/types.ts';
import { evmNetworks } from '../../parts/choice.ts';
import { useNetworkName } from '../../parts/links.tsx';
import { Section } from '../../parts/Section.tsx';
import { useInside, useKind } from '../../session/context.tsx';
import { Banner, Failure } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import page from '../../ui/page.module.css';
import { Comparison } from './Comparison.tsx';
import { mappingOf, progressOf } from './compare.ts';
import styles from './recording.module.css';
import { texts } from './texts.ts';
import { useReplay } from './useReplay.ts';

/** Sends what was recorded again: a dry run first, then the replay, then both side by side. */
export function Replay({ recording }: { recording: Recording }) {
  const { objects } = useKind('network');
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const { plan, run, before, reset } = useReplay(recording.id);
  const { network_ids } = recording;
  const mapping = mappingOf(network_ids, chosen, (id) => objects.has(id));
  const choose = (from: string, to: string) => {
    setChosen((now) => ({ ...now, [from]: to }));
    reset();
  };
  const error = run.error ?? plan.error;
  const isFixed = plan.isPending || run.isPending;
  return (
    <>
      <Section title={texts.replay}>
        <p className={`${page.wide} ${page.muted}`}>{texts.replayHint}</p>
        {network_ids.map((id) => (
          <Target key={id} id={id} isFixed={isFixed} value={mapping?.[id] ?? chosen[id]} onChange={choose} />
        ))}
        {(error || plan.data) && (
          <div className={page.wide}>
            {error && <Failure error={error} title={texts.refused} />}
            {plan.data && !run.data && <Plan plan={plan.data} />}
            {run.isPending && plan.data && <Running plan={plan.data} before={before} />}
          </div>
        )}
        <div className={`${page.wide} ${styles.actions}`}>
          <Button
            isBusy={plan.isPending}
            disabled={!mapping || run.isPending}
            onClick={() => mapping && plan.mutate(mapping)}
          >
            {texts.dryRun}
          </Button>
          <Button
            look="primary"
            icon="play"
            isBusy={run.isPending}
            disabled={!plan.data || run.data !== undefined}
            onClick={() => mapping && run.mutate(mapping)}
          >
            {texts.run}
          </Button>
          {run.data && <Button onClick={reset}>{texts.again}</Button>}
          {!plan.data && <span className={page.muted}>{texts.first}</span>}
        </div>
      </Section>
      {run.data && <Comparison outcome={run.data} />}
    </>
  );
}

interface TargetProps {
  id: string;
  value: string | undefined;
  isFixed: boolean;
  onChange: (from: string, to: string) => void;
}

function Target({ id, value, isFixed, onChange }: TargetProps) {
  const networks = evmNetworks(useKind('network').objects.values());
  const nameOf = useNetworkName();
  const options = networks.map((one) => ({
    value: one.id,
    label: one.id === id ? texts.same(one.name) : one.name,
  }));
  const current = value ?? (networks.some((one) => one.id === id) ? id : '');
  return (
    <SelectField
      label={texts.target(nameOf(id))}
      value={current}
      disabled={isFixed}
      options={[...(current === '' ? [{ value: '', label: texts.pick }] : []), ...options]}
      onChange={(to) => onChange(id, to)}
    />
  );
}

function Plan({ plan }: { plan: ReplayResponse }) {
  const nameOf = useNetworkName();
  return (
    <Banner look="plain" icon="check" title={texts.planTitle(plan.totalTransactions)}>
      <span>{texts.planText}</span>
      {Object.entries(plan.appliedNetworkMapping).map(([from, to]) => (
        <span key={from}>
          {nameOf(from)} → {nameOf(to)}: {plan.transactions[to]?.length ?? 0}
        </span>
      ))}
    </Banner>
  );
}

function Running({ plan, before }: { plan: ReplayResponse; before: ReadonlySet<string> }) {
  const { me } = useInside();
  const { objects } = useKind('transaction');
  const run = { networks: plan.networks, userId: me.user.id, before };
  const { sent, settled } = progressOf(objects, run);
  const text = texts.progress(settled, sent, plan.totalTransactions);
  return (
    <div className={styles.progress}>
      <progress value={settled} max={plan.totalTransactions} aria-label={texts.replay} />
      <span role="status">{text}</span>
      <span className={page.muted}>{texts.goesOn}</span>
    </div>
  );
}
