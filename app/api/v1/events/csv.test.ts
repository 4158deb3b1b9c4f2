import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from './csv';

describe('cells of an export', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is no formula', (text) =>
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/),
  );
  it('quotes what would break the line', () => expect(csvCell('a "b", c\nd')).toBe('"a ""b"", c\nd"'));
  it('keeps plain texts and numbers, and leaves nothing for null', () =>
    expect(csvLine(['prod-1', -3, null, 'ok'])).toBe('prod-1,-3,,ok\r\n'));
});
