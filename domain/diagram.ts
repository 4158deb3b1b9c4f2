import { isOperationState } from './states';
import { allEdges } from './transitions';

/** The machine as a Mermaid state diagram: what the README shows. Edges between the same two states share a line. */
export function mermaidDiagram(): string {
  const lines = new Map<string, string[]>();
  for (const { from, event, to } of allEdges()) {
    const key = `${from} --> ${to}`;
    lines.set(key, [...(lines.get(key) ?? []), event]);
  }
  const states = new Set(allEdges().flatMap(({ from, to }) => [from, to]));
  const held = [...states].filter(isOperationState);
  return [
    'stateDiagram-v2',
    '  direction LR',
    '  [*] --> Created',
    ...[...lines].map(([key, events]) => `  ${key} : ${events.join(', ')}`),
    '  Destroyed --> [*]',
    '  classDef held fill:#dbeafe,stroke:#1d4ed8,color:#172554',
    `  class ${held.join(',')} held`,
  ].join('\n');
}
