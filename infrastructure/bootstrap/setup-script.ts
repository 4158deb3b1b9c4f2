/*
 * The script that makes a node of a machine, without SSH (C.6). Rules it keeps: every part may be cut off at any point and run
 * again; the ISO is needed for unpacking only, so it may be detached as soon as the node is Ready; manifests are published
 * before the network is applied, so a Ready node implies published manifests. Shell braces are avoided: `$NAME` only.
 */
import { settingsPath, setupScriptPath } from './setup-paths';
import { etcdParts } from './setup-script-etcd';
import { nodeParts } from './setup-script-node';

/** Sourced by the script; all values are checked names, versions and numbers, so they need no quoting. */
export interface SetupSettings {
  readonly role: 'init' | 'control' | 'worker' | 'etcd';
  readonly kubernetesVersion: string;
  readonly isoWaitSeconds: number;
}

/** A ConfigMap holds 1 MiB; the rest is for its metadata and the managed fields. */
const configMapBytes = 900_000;

export function renderSettings(settings: SetupSettings): string {
  return [
    `ROLE=${settings.role}`,
    `KUBERNETES_VERSION=${settings.kubernetesVersion}`,
    `ISO_WAIT_SECONDS=${settings.isoWaitSeconds}`,
    `CONFIG_MAP_BYTES=${configMapBytes}`,
    '',
  ].join('\n');
}

/** Starts the script at every boot; it ends at once when its work is done. Restart of a oneshot needs systemd 244. */
export const setupUnit = `[Unit]
Description=Holdfast: make this machine a node of its cluster
Wants=network-online.target
After=network-online.target containerd.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/bash ${setupScriptPath}
Restart=on-failure
RestartSec=15
TimeoutStartSec=infinity

[Install]
WantedBy=multi-user.target
`;

const preamble = `#!/bin/bash
# Holdfast: makes this machine a node of its cluster. Safe to run again at any point.
set -euo pipefail
. ${settingsPath}
STATE=/var/lib/holdfast
ISO=/mnt/holdfast
export PATH="/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root
mkdir -p "$STATE" "$ISO" /opt/bin
case "$(uname -m)" in aarch64 | arm64) ARCH=arm64 ;; *) ARCH=amd64 ;; esac

say() { echo "holdfast: $*"; }
is_done() { [ -e "$STATE/$1.done" ]; }
done_with() { touch "$STATE/$1.done"; }

mount_iso() {
  local device
  for device in $(blkid -c /dev/null -o device -t TYPE=iso9660 || true); do
    mount -o ro "$device" "$ISO" 2>/dev/null || continue
    [ -f "$ISO/k8s/kubeadm" ] && return 0
    umount "$ISO"
  done
  return 1
}

wait_for_iso() {
  local started="$SECONDS"
  if mountpoint -q "$ISO"; then umount "$ISO"; fi
  until mount_iso; do
    if [ $((SECONDS - started)) -ge "$ISO_WAIT_SECONDS" ]; then
      say "no binaries ISO within $ISO_WAIT_SECONDS s; giving up until the next boot"
      exit 0
    fi
    sleep 5
  done
}
`;

/** The script for the node's role; the same text for all nodes of a kind. */
export function setupScript(role: SetupSettings['role']): string {
  return preamble + (role === 'etcd' ? etcdParts : nodeParts);
}
