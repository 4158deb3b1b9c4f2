/** Times and durations as texts. Pure. */

const pad = (value: number) => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export type TimeZoneChoice = 'utc' | 'local';

/** "1 Dec 2026, 12:03:10 UTC"; without the date where it is today. */
export function absoluteText(iso: string, zone: TimeZoneChoice, nowMs: number | null = null): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const parts = (date: Date) =>
    zone === 'utc'
      ? {
          y: date.getUTCFullYear(),
          m: date.getUTCMonth(),
          d: date.getUTCDate(),
          h: date.getUTCHours(),
          i: date.getUTCMinutes(),
          s: date.getUTCSeconds(),
        }
      : {
          y: date.getFullYear(),
          m: date.getMonth(),
          d: date.getDate(),
          h: date.getHours(),
          i: date.getMinutes(),
          s: date.getSeconds(),
        };
  const { y, m, d, h, i, s } = parts(at);
  const clock = `${pad(h)}:${pad(i)}:${pad(s)}${zone === 'utc' ? ' UTC' : ''}`;
  if (nowMs !== null) {
    const today = parts(new Date(nowMs));
    if (today.y === y && today.m === m && today.d === d) return clock;
  }
  return `${d} ${months[m]} ${y}, ${clock}`;
}

/** "43 s", "4 min 12 s", "3 h 5 min", "6 d 2 h". Never negative. */
export function durationText(ms: number, isShort = false): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return isShort || seconds % 60 === 0 || minutes >= 20 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return isShort || minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return isShort || days >= 14 || hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** "just now", "43 s ago", "in 12 s". */
export function relativeText(iso: string, nowMs: number): string {
  const difference = nowMs - Date.parse(iso);
  if (Number.isNaN(difference)) return iso;
  if (Math.abs(difference) < 2000) return 'just now';
  return difference > 0 ? `${durationText(difference, true)} ago` : `in ${durationText(-difference, true)}`;
}
