'use client';
import { Radio } from '@/components/ui/choice';
import { FieldError } from '@/components/ui/field';
import { type Role, roles } from '@/domain/actor';

const meaning: Readonly<Record<Role, string>> = {
  viewer: 'Sees everything, changes nothing.',
  operator: 'Also runs operations on clusters, and recovery.',
  admin: 'Also manages accounts, settings and protection, and ends operations that hang.',
};

export function RoleChoice({
  value,
  onChange,
  error,
}: {
  value: Role;
  onChange: (role: Role) => void;
  error?: string | undefined;
}) {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1 text-sm font-medium">Role</legend>
      {roles.map((role) => (
        <Radio
          key={role}
          name="role"
          value={role}
          label={role}
          hint={meaning[role]}
          checked={value === role}
          onChange={() => onChange(role)}
        />
      ))}
      {error === undefined ? null : <FieldError text={error} />}
    </fieldset>
  );
}
