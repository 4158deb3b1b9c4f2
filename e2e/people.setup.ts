import { setupLink } from '../scripts/lib-servers.mjs';
import { expect, serverAt, stack, test } from './support/fixtures';
import { people } from './support/people';

test.use({ as: null });

test('the one-time link makes the first admin once, who adds an operator and a viewer', async ({
  page,
  context,
  browser,
}) => {
  test.setTimeout(120_000);
  const link = await setupLink(stack.environment, { onlyIfNoUser: true });
  expect(link, 'nobody has an account yet').toBeDefined();
  await page.goto(link ?? '');
  await page.getByLabel('Your name').fill(people.admin.name);
  await page.getByLabel('E-mail').fill(people.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(people.admin.password);
  await page.getByRole('button', { name: 'Make the admin account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await context.storageState({ path: people.admin.storageState });

  const stranger = await browser.newContext();
  const again = await stranger.newPage();
  await again.goto(link ?? '');
  await expect(again.getByText('This link was used already')).toBeVisible();
  await stranger.close();

  for (const person of [people.operator, people.viewer]) {
    await page.goto('/settings/users');
    await page.getByRole('button', { name: 'Add account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add account' });
    await dialog.getByLabel('Name', { exact: true }).fill(person.name);
    await dialog.getByLabel('E-mail').fill(person.email);
    await dialog.getByRole('radio', { name: new RegExp(`^${person.role}`, 'i') }).check();
    await dialog.getByRole('button', { name: 'Add account' }).click();
    const shown = page.getByRole('dialog', { name: 'Hand over this link' });
    const invitation = await shown.getByLabel('One-time link').inputValue();

    const own = await browser.newContext({ baseURL: serverAt(0).url });
    const visitor = await own.newPage();
    await visitor.goto(invitation);
    await expect(visitor.getByRole('heading', { name: `Welcome, ${person.name}` })).toBeVisible();
    await visitor.getByLabel('Password', { exact: true }).fill(person.password);
    await visitor.getByRole('button', { name: 'Set password and sign in' }).click();
    await expect(visitor.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    await own.storageState({ path: person.storageState });
    await own.close();
  }
});
