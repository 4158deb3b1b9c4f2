/** The three accounts of the specs, one a role. `people.setup.ts` makes them once, through the pages. */

import type { Role } from '@/domain/actor';
import { statePath } from '../../scripts/lib-folder.mjs';

export interface Person {
  readonly role: Role;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Cookies and local storage of the signed-in browser; good for every server, because cookies know no ports. */
  readonly storageState: string;
}

function person(role: Role, name: string): Person {
  const email = `${name.toLowerCase()}@example.org`;
  return {
    role,
    name,
    email,
    password: 'correct horse battery',
    storageState: statePath('e2e', 'people', `${role}.json`),
  };
}

export const people: Readonly<Record<Role, Person>> = {
  admin: person('admin', 'Ada'),
  operator: person('operator', 'Olga'),
  viewer: person('viewer', 'Vera'),
};
