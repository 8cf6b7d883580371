import { useState } from 'react';
import type { Submission, SubmitResponse } from '../../../../sdk/src/generated/types.ts';
import { isSettled } from '../../live/kinds.ts';
import { HashLink, NetworkLink, useNetworkName } from '../../parts/links.tsx';
import { Section } from '../../parts/Section.tsx';
import { useKind } from '../../session/context.tsx';
import { Banner } from '../../ui/Banner.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { Scrolled } from '../../ui/table/Scrolled.tsx';
import { createFollowing } from './following.ts';
import { texts } from './texts.ts';

const maxShown = 200;

/** What was accepted, live until all of it is settled, and what was not. */
export function Sent({ answer }: { answer: SubmitResponse }) {
  const { objects } = useKind('transaction');
  const [following] = useState(createFollowing);
  const lastOf = (key: string) => following(key, objects.get(key));
  const nameOf = useNetworkName();
  const sent = Object.entries(answer.tx_hashes_by_network).flatMap(([network, hashes]) =>
    hashes.map((hash) => ({ network, hash, submission: lastOf(`${network}/${hash}`) })),
  );
  const done = sent.filter(({ submission }) => submission && isSettled(submission)).length;
  const { columns } = texts;
  return (
    <div className={page.stack}>
      {Object.entries(answer.errors_by_network ?? {}).map(([network, { message }]) => (
        <Banner key={network} look="bad" icon="alert" title={texts.refusedOn(nameOf(network))}>
          <span>{message}</span>
        </Banner>
      ))}
      {sent.length > 0 && (
        <Section
          title={texts.sent}
          isPlain
          tools={
            <span className={page.muted} role="status">
              {texts.settled(done, sent.length)}
            </span>
          }
        >
          <Scrolled label={texts.sent}>
            <table className={page.plainTable}>
              <thead>
                <tr>
                  <th scope="col">{columns.hash}</th>
                  <th scope="col">{columns.network}</th>
                  <th scope="col">{columns.state}</th>
                  <th scope="col">{columns.note}</th>
                </tr>
              </thead>
              <tbody>
                {sent.slice(0, maxShown).map(({ network, hash, submission }) => (
                  <tr key={`${network}/${hash}`}>
                    <th scope="row">
                      <HashLink network={network} hash={hash} />
                    </th>
                    <td>
                      <NetworkLink id={network} />
                    </td>
                    <td>
                      <StateBadge state={submission?.state ?? 'accepted'} />
                    </td>
                    <td className={page.muted}>{submission && noteOf(submission)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrolled>
          {sent.length > maxShown && <p className={page.muted}>{texts.moreSent(sent.length - maxShown)}</p>}
        </Section>
      )}
    </div>
  );
}

function noteOf({ message, block, contract_address }: Submission): string {
  if (message) return message;
  const parts = [
    block === undefined ? '' : texts.inBlock(block),
    contract_address ? texts.wrote(contract_address) : '',
  ];
  return parts.filter(Boolean).join(', ');
}
