/** Where an arrow key leads in the diagram. Pure. */
import { type ClusterState, clusterStates } from '@/domain/states';
import type { EdgeGroup } from './machine-edges';
import { boxes } from './machine-layout';

/** The nearest connected state in the key's direction, else the nearest of all; undefined for other keys and at the rim. */
export function nextByKey(groups: readonly EdgeGroup[], state: ClusterState, key: string): ClusterState | undefined {
  const direction = directions[key];
  if (direction === undefined) return undefined;
  const connected = groups.flatMap(({ from, to }) => (from === state ? [to] : to === state ? [from] : []));
  return nearest(state, direction, connected) ?? nearest(state, direction, clusterStates);
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};
/** What lies aside counts more than what lies far. */
const asidePenalty = 2;

/** The nearest of `among` in a direction. */
function nearest(
  from: ClusterState,
  [dx, dy]: readonly [number, number],
  among: readonly ClusterState[],
): ClusterState | undefined {
  const centre = (state: ClusterState) =>
    [boxes[state].x + boxes[state].width / 2, boxes[state].y + boxes[state].height / 2] as const;
  const [x, y] = centre(from);
  return among
    .filter((state) => state !== from)
    .map((state) => {
      const [sx, sy] = centre(state);
      const ahead = (sx - x) * dx + (sy - y) * dy;
      const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
      return { state, ahead, cost: ahead + aside * asidePenalty };
    })
    .filter((each) => each.ahead > 0)
    .sort((a, b) => a.cost - b.cost)[0]?.state;
}
