import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mermaidDiagram } from './diagram';

test("the README's diagram is what the machine's table draws", () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  expect(readme).toContain(`\`\`\`mermaid\n${mermaidDiagram()}\n\`\`\``);
});
