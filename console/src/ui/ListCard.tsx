import { type ComponentType, type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { Card } from './Card.tsx';
import { Empty } from './Empty.tsx';
import type { IconName } from './Icon.tsx';
import { Loaded, type Query } from './Loaded.tsx';

interface Creation {
  label: string;
  /** The dialog that creates one. */
  Dialog: ComponentType<{ isOpen: boolean; onClose: () => void }>;
}

interface ListCardProps<T> {
  title: string;
  query: Query<readonly T[]>;
  empty: { icon: IconName; title: string; text: string };
  /** Absent for who may not. */
  create?: Creation | false;
  children: (items: readonly T[]) => ReactNode;
}

/** A list that is read at once, and the way to add to it. */
export function ListCard<T>({ title, query, empty, create, children }: ListCardProps<T>) {
  const [isCreating, setCreating] = useState(false);
  const action = create && (
    <Button icon="plus" onClick={() => setCreating(true)}>
      {create.label}
    </Button>
  );
  return (
    <Card title={title} action={action}>
      <Loaded query={query}>
        {(items) => (items.length === 0 ? <Empty {...empty} /> : children(items))}
      </Loaded>
      {create && <create.Dialog isOpen={isCreating} onClose={() => setCreating(false)} />}
    </Card>
  );
}
