import { narrow, useMedia } from '../../lib/useMedia.ts';
import { part } from '../../loading/part.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import page from '../../ui/page.module.css';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { Scrolled } from '../../ui/table/Scrolled.tsx';
import { shortHex } from '../links.tsx';
import { Section } from '../Section.tsx';
import { texts } from './texts.ts';
import styles from './wiring.module.css';
import { reachOf, type WiringData } from './wiring.ts';

const Graph = part(() => import('./Graph.tsx').then((file) => file.Graph));

/** Beyond this a picture shows nothing any more. */
const maxPictured = 40;

/** Who is connected with whom: a picture where there is room for one, and the same as a table. */
export function Wiring({ data }: { data: WiringData }) {
  const isNarrow = useMedia(narrow);
  const { nodes, edges } = data;
  if (nodes.length < 2) return null;
  const connected = edges.filter(({ isConnected }) => isConnected).length;
  return (
    <Section title={texts.title} isPlain>
      {!isNarrow && nodes.length <= maxPictured && (
        <figure className={styles.figure}>
          <div
            className={styles.graph}
            role="img"
            aria-label={texts.graph(nodes.length, connected, edges.length)}
          >
            <Graph data={data} />
          </div>
          <figcaption>{texts.legend}</figcaption>
        </figure>
      )}
      <WiringTable data={data} />
    </Section>
  );
}

function WiringTable({ data }: { data: WiringData }) {
  const { columns } = texts;
  const hasStates = data.nodes.some(({ state }) => state !== undefined);
  return (
    <Scrolled label={texts.title}>
      <table className={page.plainTable}>
        <thead>
          <tr>
            <th scope="col">{columns.network}</th>
            {hasStates && <th scope="col">{columns.state}</th>}
            <th scope="col">{columns.facts}</th>
            <th scope="col">{columns.connected}</th>
            <th scope="col">{columns.open}</th>
          </tr>
        </thead>
        <tbody>
          {data.nodes.map((node) => {
            const { connected, open } = reachOf(node.id, data);
            return (
              <tr key={node.id}>
                <th scope="row">{node.name}</th>
                {hasStates && <td>{node.state && <StateBadge state={node.state} />}</td>}
                <td>
                  {node.facts.map(({ name, value }) => (
                    <span key={name} className={styles.fact}>
                      <span className={page.muted}>{name}</span>
                      <span className={page.mono} title={value}>
                        {shortHex(value)}
                      </span>
                      <CopyButton text={value} label={texts.copy(name)} />
                    </span>
                  ))}
                </td>
                <td>{connected.join(', ') || texts.nobody}</td>
                <td>{open.join(', ') || texts.nobody}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scrolled>
  );
}
