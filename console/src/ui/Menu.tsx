import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './controls.module.css';
import { Icon, type IconName } from './Icon.tsx';

interface MenuProps {
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align={align}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface MenuItemProps {
  icon: IconName;
  isDanger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, isDanger = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item className={`${styles.item} ${isDanger ? styles.itemDanger : ''}`} onClick={onSelect}>
      <Icon name={icon} />
      <span className={styles.itemText}>{children}</span>
    </Base.Item>
  );
}

interface MenuChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** One of several, with a name above them. */
export function MenuChoice({ label, value, options, onChange }: MenuChoiceProps) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.groupLabel}>{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} className={styles.item} value={option.value} closeOnClick>
            <span className={styles.itemText}>{option.label}</span>
            <Base.RadioItemIndicator>
              <Icon name="check" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />;
}
