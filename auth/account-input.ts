import { z } from 'zod';

/** Limits and words of account fields; forms and server share them. */
export const minPasswordLength = 12;
export const maxPasswordLength = 128;

/** PostgreSQL stores no NUL, and a lone surrogate is no text. */
const isText = (text: string) => !/\0|\p{Surrogate}/u.test(text);

export const nameInput = z
  .string({ error: 'Give a name.' })
  .trim()
  .min(1, 'Give a name.')
  .max(80, 'At most 80 characters.')
  .refine(isText, 'Letters only, please: it holds characters that cannot be stored.');

export const emailInput = z
  .string({ error: 'Give an e-mail address.' })
  .trim()
  .toLowerCase()
  .max(254, 'At most 254 characters.')
  .pipe(z.email('Write it like name@example.org.'));

export const newPasswordInput = z
  .string({ error: 'Choose a password.' })
  .min(minPasswordLength, `At least ${minPasswordLength} characters.`)
  .max(maxPasswordLength, `At most ${maxPasswordLength} characters.`)
  .refine(isText, 'It holds characters that cannot be typed again.');
