import type { UserDataFile } from './cloud-config';
import { type ClusterPki, signEtcdMemberCertificate } from './pki';

/** A separate etcd node. Its address is known once its machine exists, so its user data is set before its first start (C.3). */
export interface EtcdMember {
  readonly name: string;
  readonly address: string;
}

const clientPort = 2379;
const peerPort = 2380;
const directory = '/etc/etcd/pki';

/** For the API servers. */
export function etcdEndpoint(member: { address: string }): string {
  return `https://${member.address}:${clientPort}`;
}

/** The member's certificates and its unit. All traffic is TLS with client certificates, unlike CKS's. */
export async function etcdFiles(
  pki: ClusterPki,
  cluster: { clusterId: string; members: readonly EtcdMember[] },
  member: EtcdMember,
): Promise<readonly UserDataFile[]> {
  const own = await signEtcdMemberCertificate(pki, member);
  return [
    { path: `${directory}/ca.crt`, content: pki.etcd.certificatePem, permissions: '0644' },
    { path: `${directory}/member.crt`, content: own.certificatePem, permissions: '0644' },
    { path: `${directory}/member.key`, content: own.keyPem, permissions: '0600' },
    { path: '/etc/systemd/system/etcd.service', content: etcdUnit(cluster, member), permissions: '0644' },
  ];
}

function etcdUnit(cluster: { clusterId: string; members: readonly EtcdMember[] }, member: EtcdMember): string {
  const client = `https://${member.address}:${clientPort}`;
  const peer = `https://${member.address}:${peerPort}`;
  const members = cluster.members.map((each) => `${each.name}=https://${each.address}:${peerPort}`).join(',');
  const options = [
    `--name=${member.name}`,
    '--data-dir=/var/lib/etcd',
    `--listen-client-urls=${client},https://127.0.0.1:${clientPort}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=${members}`,
    `--initial-cluster-token=${cluster.clusterId}`,
    '--initial-cluster-state=new',
    '--client-cert-auth=true',
    `--trusted-ca-file=${directory}/ca.crt`,
    `--cert-file=${directory}/member.crt`,
    `--key-file=${directory}/member.key`,
    '--peer-client-cert-auth=true',
    `--peer-trusted-ca-file=${directory}/ca.crt`,
    `--peer-cert-file=${directory}/member.crt`,
    `--peer-key-file=${directory}/member.key`,
  ];
  return `[Unit]
Description=etcd member of a cluster made by Holdfast
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
ExecStart=/opt/bin/etcd ${options.join(' \\\n  ')}
Restart=always
RestartSec=5
TimeoutStartSec=infinity
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
`;
}
