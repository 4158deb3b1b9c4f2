import { parse, stringify } from 'yaml';
import { z } from 'zod';

export interface UserDataFile {
  readonly path: string;
  readonly content: string;
  /** Octal, as text: cloud-init refuses numbers. */
  readonly permissions: '0600' | '0644' | '0755';
}

/** `vm.userdata.max.length`: the base64 text may be this long by default (C.6). */
export const defaultUserDataLimit = 32_768;
const firstLine = '#cloud-config';

/** A cloud-config document of files and commands only. */
export function renderCloudConfig(document: {
  files: readonly UserDataFile[];
  commands: readonly (readonly string[])[];
}): string {
  const files = document.files.map(({ path, permissions, content }) => ({
    path,
    owner: 'root:root',
    permissions,
    content,
  }));
  // An empty list is not valid in cloud-init's schema.
  const body = stringify(
    { ...(files.length > 0 ? { write_files: files } : {}), runcmd: document.commands },
    { lineWidth: 0, blockQuote: 'literal', defaultStringType: 'PLAIN', singleQuote: true },
  );
  return `${firstLine}\n${body}`;
}

const cloudConfigSchema = z.strictObject({
  write_files: z
    .array(z.strictObject({ path: z.string(), owner: z.string(), permissions: z.string(), content: z.string() }))
    .default([]),
  runcmd: z.array(z.array(z.string())),
});
export type CloudConfig = z.infer<typeof cloudConfigSchema>;

/** Reads back what `renderCloudConfig` wrote. Throws on a missing first line and on keys that cloud-init would ignore silently. */
export function parseCloudConfig(userData: string): CloudConfig {
  if (!userData.startsWith(`${firstLine}\n`)) throw new Error(`User data must begin with the line ${firstLine}.`);
  return cloudConfigSchema.parse(parse(userData));
}

/** The length that the cloud measures: of the base64 text. */
export function userDataLength(userData: string): number {
  return Math.ceil(Buffer.byteLength(userData, 'utf8') / 3) * 4;
}

/** Throws, naming both numbers, when the cloud would refuse it for its length. */
export function assertUserDataFits(userData: string, limit = defaultUserDataLimit): void {
  const length = userDataLength(userData);
  if (length > limit) throw new Error(`The user data takes ${length} characters in base64; the cloud allows ${limit}.`);
}
