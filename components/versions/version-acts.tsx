'use client';
import { Ban, CircleCheck, Ellipsis, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import type { VersionListItem } from '@/db/queries/version-list';
import { DeleteQuestion, EnableQuestion, MinimumsQuestion } from './version-questions';

const questions = { enable: EnableQuestion, minimums: MinimumsQuestion, delete: DeleteQuestion };
type Question = keyof typeof questions;
const icon = 'size-3.5';

/** What an admin can do with one version. Each act asks once; the server decides again. */
export function VersionActs({ version }: { version: VersionListItem }) {
  const [asked, setAsked] = useState<Question | null>(null);
  const Asked = asked === null ? null : questions[asked];
  return (
    <>
      <Menu
        label={`Acts on ${version.version}`}
        trigger={
          <IconButton
            label={`Acts on ${version.version}`}
            size="icon-sm"
            icon={<Ellipsis aria-hidden className="size-4" />}
          />
        }
      >
        {version.enabled ? (
          <MenuItem icon={<Ban className={icon} />} onSelect={() => setAsked('enable')}>
            Disable
          </MenuItem>
        ) : (
          <MenuItem icon={<CircleCheck className={icon} />} onSelect={() => setAsked('enable')}>
            Enable
          </MenuItem>
        )}
        <MenuItem icon={<SlidersHorizontal className={icon} />} onSelect={() => setAsked('minimums')}>
          Change what a node needs
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Trash2 className={icon} />}
          isDanger
          reason={deleteReason(version)}
          onSelect={() => setAsked('delete')}
        >
          Delete
        </MenuItem>
      </Menu>
      {Asked === null ? null : <Asked version={version} onClose={() => setAsked(null)} />}
    </>
  );
}

function deleteReason({ clusterCount, deletedClusterCount }: VersionListItem): string | undefined {
  if (clusterCount > 0) return `In use by ${clusterCount} ${clusterCount === 1 ? 'cluster' : 'clusters'}.`;
  if (deletedClusterCount > 0) return 'The history of deleted clusters names it. Disable it instead.';
  return undefined;
}
