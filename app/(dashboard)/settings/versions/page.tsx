import type { Metadata } from 'next';
import { presentCatalogue } from '@/app/actions/present-catalogue';
import { readerOf } from '@/app/reader';
import { requireActor } from '@/auth/session';
import { Callout } from '@/components/ui/callout';
import { PageHeader } from '@/components/ui/page-header';
import { Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/states';
import { AddVersionDialog } from '@/components/versions/add-version-dialog';
import { ReadCloudAgain } from '@/components/versions/read-cloud-again';
import { VersionsTable } from '@/components/versions/versions-table';
import { type VersionList, versionList } from '@/db/queries/version-list';
import { runtime } from '@/runtime';

export const metadata: Metadata = { title: 'Kubernetes versions · Settings' };

export default async function VersionsPage() {
  const actor = await requireActor('admin');
  // What was last known is shown when the cloud is away, with the words that say so.
  const offered = await presentCatalogue('kept');
  const list = await versionList(runtime().db, readerOf(actor));
  const enabled = list.versions.filter((version) => version.enabled).length;
  return (
    <div className="grid gap-4">
      <PageHeader
        title="Kubernetes versions"
        description="What clusters can be created with and upgraded to. Clusters keep the version they have."
        actions={
          <>
            <ReadCloudAgain />
            <AddVersionDialog choices={list.choices} zones={list.zones} noChoice={noChoice(list)} />
          </>
        }
      />
      {offered.ok ? null : (
        <Callout tone="warning" title="The ISOs may have changed meanwhile">
          {offered.refusal.message}
        </Callout>
      )}
      <Panel
        id="versions"
        title="Versions"
        description={`${enabled} of ${list.versions.length} enabled, newest first`}
        flush
      >
        {list.versions.length === 0 ? (
          <EmptyState
            title="No versions yet"
            text="Without one no cluster can be created. Add it from a binaries ISO that the cloud has ready."
          />
        ) : (
          <VersionsTable versions={list.versions} />
        )}
      </Panel>
    </div>
  );
}

function noChoice({ choices, isosAgeMs }: VersionList): string | undefined {
  if (choices.length > 0) return undefined;
  if (isosAgeMs === null) return 'The cloud has not been read yet.';
  return 'Every ready ISO that names a version is listed. Register another in CloudStack, then read the cloud again.';
}
