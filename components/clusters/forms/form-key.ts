'use client';
import { useState } from 'react';

/** One per opened form: sending it twice, or again after a lost answer, makes one job. */
export function useFormKey(): string {
  // Not randomUUID: that one needs https or localhost.
  const [key] = useState(() =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  );
  return key;
}
