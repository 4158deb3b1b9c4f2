/** From corner points to what SVG draws. Pure. */
import { type EdgeKey, edgeRoutes } from './machine-layout';

export type Point = readonly [number, number];

/** The corner points of a way; none for a way that the machine has not. */
export function routeOf(key: EdgeKey): readonly Point[] {
  const text = edgeRoutes[key];
  if (text === undefined) return [];
  return text.split(' ').map((pair): Point => {
    const [x = 0, y = 0] = pair.split(',').map(Number);
    return [x, y];
  });
}

const cornerRadius = 9;

/** A way with rounded corners, as SVG path data. */
export function pathData(points: readonly Point[]): string {
  const [start, ...rest] = points;
  if (start === undefined) return '';
  const parts = [`M${start[0]} ${start[1]}`];
  rest.forEach((point, index) => {
    const before = points[index];
    const after = rest[index + 1];
    if (before === undefined || after === undefined) {
      parts.push(`L${point[0]} ${point[1]}`);
      return;
    }
    const entering = towards(point, before);
    const leaving = towards(point, after);
    parts.push(`L${entering[0]} ${entering[1]}Q${point[0]} ${point[1]} ${leaving[0]} ${leaving[1]}`);
  });
  return parts.join('');
}

/** A point near `from`, on the way to `to`. */
function towards(from: Point, to: Point): Point {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  const share = Math.min(cornerRadius, length / 2) / length;
  return [from[0] + dx * share, from[1] + dy * share];
}

const arrowLength = 8;
const arrowHalf = 4;

/** The head of an arrow at the end of a way, as polygon points. */
export function arrowHead(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (tip === undefined || before === undefined) return '';
  const [dx, dy] = [tip[0] - before[0], tip[1] - before[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const base: Point = [tip[0] - ux * arrowLength, tip[1] - uy * arrowLength];
  return [
    tip,
    [base[0] - uy * arrowHalf, base[1] + ux * arrowHalf],
    [base[0] + uy * arrowHalf, base[1] - ux * arrowHalf],
  ]
    .map((point) => point.join(','))
    .join(' ');
}
