import { describe, expect, it } from 'vitest';
import { clusterStates } from '@/domain/states';
import { edgeGroups } from './machine-edges';
import { type Point, pathData, routeOf } from './machine-geometry';
import { type Box, boxes, edgeRoutes, machineSize } from './machine-layout';

const groups = edgeGroups();
const touches = (box: Box, [x, y]: Point) =>
  x >= box.x &&
  x <= box.x + box.width &&
  y >= box.y &&
  y <= box.y + box.height &&
  (x === box.x || x === box.x + box.width || y === box.y || y === box.y + box.height);

function segments(points: readonly Point[]): [Point, Point][] {
  return points.slice(1).map((point, index) => [points[index] ?? point, point]);
}

describe('the diagram of the machine', () => {
  it('has a way for every edge of the machine and none that the machine has not', () => {
    expect(Object.keys(edgeRoutes).sort()).toEqual(groups.map((group) => group.key).sort());
  });

  it.each(groups.map((group) => group.key))('%s runs from border to border', (key) => {
    const [from, to] = key.split('>') as [keyof typeof boxes, keyof typeof boxes];
    const route = routeOf(key);
    expect(touches(boxes[from], route.at(0) ?? [0, 0])).toBe(true);
    expect(touches(boxes[to], route.at(-1) ?? [0, 0])).toBe(true);
    expect(pathData(route)).toMatch(/^M/);
  });

  it.each(groups.map((group) => group.key))('%s crosses no state', (key) => {
    for (const [[ax, ay], [bx, by]] of segments(routeOf(key))) {
      expect(ax === bx || ay === by).toBe(true);
      for (const state of clusterStates) {
        const box = boxes[state];
        const isInside =
          Math.max(ax, bx) > box.x &&
          Math.min(ax, bx) < box.x + box.width &&
          Math.max(ay, by) > box.y &&
          Math.min(ay, by) < box.y + box.height;
        expect(isInside ? state : null).toBeNull();
      }
    }
  });

  it('stays within its frame', () => {
    for (const state of clusterStates) {
      expect(boxes[state].x).toBeGreaterThanOrEqual(0);
      expect(boxes[state].x + boxes[state].width).toBeLessThanOrEqual(machineSize.width);
    }
  });
});
