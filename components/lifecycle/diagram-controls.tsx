'use client';
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { IconButton } from '@/components/ui/button';
import { edgeStyles } from './edge-line';
import { edgeKinds } from './machine-edges';

const zooms: readonly number[] = [0.75, 1, 1.35, 1.8];

export function ZoomButtons({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }) {
  const index = zooms.indexOf(zoom);
  const smaller = zooms[index - 1];
  const larger = zooms[index + 1];
  return (
    <span className="flex">
      <IconButton
        size="icon-sm"
        label="Smaller"
        icon={<ZoomOut aria-hidden className="size-4" />}
        reason={smaller === undefined ? 'It is at its smallest.' : undefined}
        onClick={() => smaller !== undefined && onZoom(smaller)}
      />
      <IconButton
        size="icon-sm"
        label="Larger"
        icon={<ZoomIn aria-hidden className="size-4" />}
        reason={larger === undefined ? 'It is at its largest.' : undefined}
        onClick={() => larger !== undefined && onZoom(larger)}
      />
      <IconButton
        size="icon-sm"
        label="Fit the width"
        icon={<Maximize2 aria-hidden className="size-3.5" />}
        onClick={() => onZoom(1)}
      />
    </span>
  );
}

export function Legend() {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 px-1 pt-2 text-xs text-soft" aria-label="Kinds of ways">
      {edgeKinds.map((kind) => {
        const style = edgeStyles[kind];
        return (
          <li key={kind} className="flex items-center gap-2">
            <svg aria-hidden width="34" height="8" className={style.className}>
              <line
                x1="0"
                y1="4"
                x2="34"
                y2="4"
                stroke="currentColor"
                strokeWidth={style.width}
                strokeDasharray={style.dash}
                strokeLinecap={kind === 'reconciliation' ? 'round' : 'butt'}
              />
            </svg>
            {style.label}
          </li>
        );
      })}
    </ul>
  );
}
