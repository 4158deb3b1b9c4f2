import { stringify } from 'yaml';

export interface KubeconfigRequest {
  readonly clusterName: string;
  /** `https://host:port`. */
  readonly endpoint: string;
  readonly caPem: string;
  readonly userName: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** A kubeconfig of one cluster, one user and one context, with everything inline. */
export function renderKubeconfig(request: KubeconfigRequest): string {
  const context = `${request.userName}@${request.clusterName}`;
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: request.clusterName,
          cluster: { server: request.endpoint, 'certificate-authority-data': base64(request.caPem) },
        },
      ],
      users: [
        {
          name: request.userName,
          user: {
            'client-certificate-data': base64(request.certificatePem),
            'client-key-data': base64(request.keyPem),
          },
        },
      ],
      contexts: [{ name: context, context: { cluster: request.clusterName, user: request.userName } }],
      'current-context': context,
      preferences: {},
    },
    { lineWidth: 0 },
  );
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
