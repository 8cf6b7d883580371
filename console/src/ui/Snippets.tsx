import { Tabs } from '@base-ui/react/tabs';
import { Code } from './Code.tsx';
import styles from './surface.module.css';

interface SnippetsProps {
  label: string;
  snippets: readonly { name: string; text: string; shown?: string }[];
}

/** The same in several languages. */
export function Snippets({ label, snippets }: SnippetsProps) {
  return (
    <Tabs.Root defaultValue={snippets[0]?.name}>
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
