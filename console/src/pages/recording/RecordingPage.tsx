import { useParams } from '@tanstack/react-router';
import type { Recording } from '../../../../sdk/src/generated/types.ts';
import { NotFound } from '../../app/NotFound.tsx';
import { usePageTitle } from '../../app/usePageTitle.ts';
import { labelsText } from '../../forms/labels.ts';
import { absoluteTime } from '../../lib/time.ts';
import { NetworkLink } from '../../parts/links.tsx';
import { Section } from '../../parts/Section.tsx';
import { NotStreamed } from '../../parts/Streamed.tsx';
import { useKind, useMay, useStream } from '../../session/context.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import surface from '../../ui/surface.module.css';
import { Scrolled } from '../../ui/table/Scrolled.tsx';
import { countOf } from '../recordings/recordings.ts';
import { Header } from './Header.tsx';
import { Recorded } from './Recorded.tsx';
import { Replay } from './Replay.tsx';
import { texts } from './texts.ts';

export function RecordingPage() {
  const { id } = useParams({ from: '/recordings/$id' });
  const recording = useKind('recording').objects.get(id);
  const { isComplete } = useStream();
  const mayReplay = [useMay('recordings:write'), useMay('transactions:write')].every(Boolean);
  usePageTitle(recording ? (recording.name ?? id) : isComplete ? texts.goneTitle : texts.back);
  if (!recording && !isComplete) return <NotStreamed />;
  if (!recording) return <NotFound title={texts.goneTitle} text={texts.goneText} list="/recordings" />;
  return (
    <>
      <Header recording={recording} />
      <div className={page.stack}>
        <Facts recording={recording} />
        <Networks recording={recording} />
        <Recorded recording={recording} />
        {mayReplay && <Replay key={id} recording={recording} />}
      </div>
    </>
  );
}

function Facts({ recording }: { recording: Recording }) {
  const { user_address, start_timestamp, end_timestamp, metadata, id } = recording;
  const facts = [
    [texts.count, String(countOf(recording))],
    [texts.started, absoluteTime(start_timestamp)],
    [texts.ended, absoluteTime(end_timestamp) || texts.running],
    [texts.labels, labelsText(metadata?.labels) || texts.none],
    [texts.wallet, user_address],
    [texts.id, id],
  ];
  return (
    <section className={surface.card} aria-label={texts.details}>
      <dl className={page.facts}>
        {facts.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd aria-live={term === texts.count ? 'polite' : undefined}>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Networks({ recording: { networks = [] } }: { recording: Recording }) {
  const { columns } = texts;
  return (
    <Section title={texts.networks} isPlain>
      <Scrolled label={texts.networks}>
        <table className={page.plainTable}>
          <thead>
            <tr>
              <th scope="col">{columns.network}</th>
              <th scope="col">{columns.state}</th>
              <th scope="col">{columns.transactions}</th>
              <th scope="col">{columns.blocks}</th>
              <th scope="col">{columns.note}</th>
            </tr>
          </thead>
          <tbody>
            {networks.map(({ network_id, state, transactions, first_block, last_block, message }) => (
              <tr key={network_id}>
                <th scope="row">
                  <NetworkLink id={network_id} />
                </th>
                <td>
                  <StateBadge state={state} />
                </td>
                <td className={page.number}>{transactions}</td>
                <td className={page.number}>
                  {first_block !== undefined && texts.blocks(first_block, last_block ?? first_block)}
                </td>
                <td className={page.muted}>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </Section>
  );
}
