'use client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import type { Refusal } from '@/domain/refusals';

/** Fetched, not linked: a refusal is said in words then, and never saved as a file. */
export function KubeconfigButton({ cluster }: { cluster: ClusterDetail }) {
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const response = await fetch(`/api/v1/clusters/${cluster.id}/kubeconfig`);
      if (response.ok) save(await response.blob(), `${cluster.name}.kubeconfig.yaml`);
      else toast.error(await refusalText(response), { duration: Number.POSITIVE_INFINITY });
    } catch {
      toast.error('The server did not answer.', { duration: Number.POSITIVE_INFINITY });
    }
    setBusy(false);
  };
  return (
    <Button
      reason={reasonOf(cluster)}
      isBusy={isBusy}
      icon={<Download aria-hidden className="size-3.5" />}
      onClick={() => void download()}
    >
      Kubeconfig
    </Button>
  );
}

function reasonOf(cluster: ClusterDetail): string | undefined {
  if (!cluster.mayDownload) return 'Needs the role operator.';
  return cluster.hasKubeconfig
    ? undefined
    : 'There is none yet: the cluster has not been reached since it was created.';
}

async function refusalText(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { refusal?: Refusal } | null;
  return body?.refusal?.message ?? 'The kubeconfig could not be made.';
}

function save(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
