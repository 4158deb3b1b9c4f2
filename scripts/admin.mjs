/** `npm run admin`: a new set-up link, for an admin who is locked out. Holdfast must be running, or its database. */
import { existsSync } from 'node:fs';
import { ownCronSecret, ownSecretKey, readJson, statePath } from './lib-folder.mjs';
import { externalDatabase, requireNode, requireSecretKey } from './lib-requirements.mjs';
import { PlainError, readable, sayFailure } from './lib-say.mjs';
import { productEnvironment, setupLink } from './lib-servers.mjs';
import { startPostgres } from './postgres.mjs';

async function main() {
  requireNode();
  requireSecretKey();
  const external = externalDatabase();
  if (external === undefined && !existsSync(statePath('pg', 'data'))) {
    throw new PlainError('There is no Holdfast in this folder yet: npm run up starts it and prints the first link.');
  }
  const server = external === undefined ? await startPostgres({ dataDir: statePath('pg') }) : undefined;
  try {
    const ports = (readJson(statePath('up.json'))?.servers ?? [{ port: 3000 }]).map(
      (/** @type {{ port: number }} */ { port }) => port,
    );
    const env = productEnvironment({
      databaseUrl: external ?? server?.url ?? '',
      secretKey: ownSecretKey(),
      cronSecret: ownCronSecret(),
      ports,
    });
    const link = await setupLink(env, { onlyIfNoUser: false });
    process.stdout.write(`This link makes an admin account; it works once:\n  ${link}\n`);
  } finally {
    await server?.stop();
  }
}

await main().catch((error) => sayFailure(readable(error)));
