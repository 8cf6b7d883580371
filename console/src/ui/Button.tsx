import type { ComponentProps } from 'react';
import styles from './controls.module.css';
import { Icon, type IconName } from './Icon.tsx';

type ButtonLook = 'plain' | 'primary' | 'danger' | 'quiet';

interface LookProps {
  look?: ButtonLook | undefined;
  isSmall?: boolean | undefined;
  isIcon?: boolean | undefined;
}

/** The classes of a button, for links that look like one. */
export function buttonClass({ look = 'plain', isSmall = false, isIcon = false }: LookProps = {}): string {
  const looks = { plain: '', primary: styles.primary, danger: styles.danger, quiet: styles.quiet };
  return [styles.button, looks[look], isSmall && styles.small, isIcon && styles.icon]
    .filter(Boolean)
    .join(' ');
}

type ButtonProps = ComponentProps<'button'> & LookProps & { icon?: IconName; isBusy?: boolean };

/** While it is busy it can have the focus, and says so. */
export function Button({
  look,
  isSmall,
  isIcon,
  icon,
  isBusy = false,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass({ look, isSmall, isIcon })} ${className ?? ''}`}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : rest.onClick}
    >
      {isBusy ? <Icon name="loader" isSpinning /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label'> & { label: string; icon: IconName };

export function IconButton({ label, look = 'quiet', ...rest }: IconButtonProps) {
  return <Button {...rest} look={look} isIcon aria-label={label} title={label} />;
}
