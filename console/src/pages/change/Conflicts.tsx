import { useState } from 'react';
import { toYaml } from '../../lib/yaml.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import styles from './change.module.css';
import type { Choose, Conflict } from './merge.ts';
import { texts } from './texts.ts';

interface ConflictsProps {
  conflicts: readonly Conflict[];
  onMerge: (choose: Choose) => void;
}

type Side = 'theirs' | 'mine';

/** What two people changed in different ways, and what is right. */
export function Conflicts({ conflicts, onMerge }: ConflictsProps) {
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = ({ path }: Conflict): Side => chosen[path] ?? 'mine';
  return (
    <Card title={texts.conflictsTitle}>
      <div className={styles.conflicts}>
        <p className={styles.muted}>{texts.conflicts}</p>
        {conflicts.map((conflict) => (
          <ConflictChoice
            key={conflict.path}
            conflict={conflict}
            side={sideOf(conflict)}
            onChoose={(side) => setChosen((now) => ({ ...now, [conflict.path]: side }))}
          />
        ))}
        <div>
          <Button look="primary" onClick={() => onMerge(sideOf)}>
            {texts.merge}
          </Button>
        </div>
      </div>
    </Card>
  );
}

interface ChoiceProps {
  conflict: Conflict;
  side: Side;
  onChoose: (side: Side) => void;
}

function ConflictChoice({ conflict, side, onChoose }: ChoiceProps) {
  const { path, base } = conflict;
  return (
    <fieldset className={styles.conflict}>
      <legend>
        <code>{path}</code>
      </legend>
      <div className={styles.sides}>
        {(['mine', 'theirs'] as const).map((one) => (
          <label key={one} className={styles.side}>
            <input type="radio" name={path} checked={side === one} onChange={() => onChoose(one)} />
            <span>
              <strong>{texts[one]}</strong>
              <pre>{valueText(conflict[one])}</pre>
            </span>
          </label>
        ))}
      </div>
      <p className={styles.muted}>
        {texts.before}: <code>{valueText(base)}</code>
      </p>
    </fieldset>
  );
}

const valueText = (value: unknown) => (value === undefined ? texts.absent : toYaml(value).trim());
