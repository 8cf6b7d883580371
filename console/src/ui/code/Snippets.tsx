import { Tabs } from '@base-ui/react/tabs';
import styles from '../surface.module.css';
import { Code } from './Code.tsx';

interface SnippetsProps {
  label: string;
  snippets: readonly { name: string; text: string; shown?: string }[];
  /** The one to show, where that is remembered; the first one if it is not among them. */
  chosen?: string;
  onChoose?: (name: string) => void;
}

/** The same in several languages. */
export function Snippets({ label, snippets, chosen, onChoose }: SnippetsProps) {
  const first = snippets.find(({ name }) => name === chosen) ?? snippets[0];
  return (
    <Tabs.Root defaultValue={first?.name} onValueChange={(name) => onChoose?.(String(name))}>
      <Tabs.List className={styles.tabs} aria-label={label}>
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={name} className={styles.tab}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ name, text, shown }) => (
        <Tabs.Panel key={name} value={name} className={styles.panel}>
          <Code label={name} text={text} shown={shown} />
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  );
}
