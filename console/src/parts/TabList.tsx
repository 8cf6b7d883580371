import { Tabs } from '@base-ui/react/tabs';
import surface from '../ui/surface.module.css';

interface TabListProps {
  /** What the tabs divide. */
  label: string;
  tabs: readonly { name: string; label: string }[];
}

/** The tabs of a page, within Tabs.Root. */
export function TabList({ label, tabs }: TabListProps) {
  return (
    <Tabs.List className={surface.tabs} aria-label={label}>
      {tabs.map((one) => (
        <Tabs.Tab key={one.name} value={one.name} className={surface.tab}>
          {one.label}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}
