import { Card } from '../../../../../console/src/ui/Card.tsx';
import { whole } from '../../amounts.ts';
import { useFirstBlock } from '../../context.tsx';
import styles from '../../explorer.module.css';
import { texts as explorer } from '../../texts.ts';
import type { Block } from '../model.ts';
import { keptCount } from '../recent.ts';
import { BlockChart } from './BlockChart.tsx';
import charts from './charts.module.css';
import { seriesOf } from './series.ts';
import { texts } from './texts.ts';

/** How full the last blocks of the network itself are, and what their gas costs. */
export function BlockCharts({ blocks }: { blocks: readonly Block[] }) {
  const first = useFirstBlock();
  const series = seriesOf(blocks.filter(({ number }) => number >= first));
  return (
    <Card title={texts.title(whole(keptCount))}>
      {series.length === 0 ? (
        <p className={styles.none}>{first > 0n ? explorer.noOwnBlocks : explorer.noBlocks}</p>
      ) : (
        <div className={charts.charts}>
          {series.map(({ label, points }) => (
            <BlockChart key={label} label={label} points={points} />
          ))}
        </div>
      )}
    </Card>
  );
}
