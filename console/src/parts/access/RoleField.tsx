import { rolesUpTo } from '../../lib/roles.ts';
import { SelectField } from '../../ui/Field.tsx';
import { roleHint, roleName } from './roles.ts';
import { texts } from './texts.ts';

interface RoleFieldProps {
  role: string;
  /** The role of who gives it: nobody gives a higher one. */
  upTo: string;
  error?: string | undefined;
  onChange: (role: string) => void;
}

/** A role to give, and what it may do. */
export function RoleField({ role, upTo, error, onChange }: RoleFieldProps) {
  return (
    <SelectField
      label={texts.role}
      hint={roleHint(role)}
      error={error}
      value={role}
      options={rolesUpTo(upTo).map((value) => ({ value, label: roleName(value) }))}
      onChange={onChange}
    />
  );
}
