import { plainVersion } from './kubeadm-documents';

export interface UpgradeScriptRequest {
  readonly targetVersion: string;
  /** The first control node decides the cluster's version (`upgrade apply`); all others follow (`upgrade node`). */
  readonly first: boolean;
}

const script = String.raw`#!/bin/bash
# Holdfast: takes this node to another Kubernetes version, from the binaries ISO in the drive. Safe to run again.
set -euo pipefail
export PATH="/opt/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root
TARGET=@TARGET@
FIRST=@FIRST@
ISO=/mnt/holdfast-upgrade
WORK="/var/lib/holdfast/upgrade-$TARGET"
UNIT="holdfast-upgrade-$TARGET.service"
case "$(uname -m)" in aarch64 | arm64) ARCH=arm64 ;; *) ARCH=amd64 ;; esac

say() { echo "holdfast: $*"; }

# kubeadm is not executable on the ISO, so it is copied before it is asked.
mount_target() {
  local device
  for device in $(blkid -c /dev/null -o device -t TYPE=iso9660 || true); do
    mount -o ro "$device" "$ISO" 2>/dev/null || continue
    if [ -f "$ISO/k8s/kubeadm" ]; then
      install -m 0755 "$ISO/k8s/kubeadm" "$WORK/kubeadm"
      [ "$("$WORK/kubeadm" version -o short)" = "$TARGET" ] && return 0
    fi
    umount "$ISO"
  done
  say "no ISO with $TARGET in the drive"
  return 1
}

stage() {
  local image
  if [ -e "$WORK/staged" ]; then return 0; fi
  if mountpoint -q "$ISO"; then umount "$ISO"; fi
  mount_target
  for image in "$ISO"/docker/*.tar; do ctr -n k8s.io images import "$image"; done
  tar -C /opt/cni/bin -xzf "$(ls "$ISO"/cni/cni-plugins-*"$ARCH"*.tgz | head -n 1)"
  tar -C /opt/bin -xzf "$(ls "$ISO"/cri-tools/crictl-linux-*"$ARCH"*.tar.gz | head -n 1)"
  install -m 0755 "$ISO/k8s/kubelet" "$ISO/k8s/kubectl" "$WORK/"
  umount "$ISO"
  touch "$WORK/staged"
}

upgrade() {
  if [ -e "$WORK/upgraded" ]; then return 0; fi
  if [ "$FIRST" = yes ]; then
    # CreateJob: its probe wants a schedulable node, and this one is cordoned. CoreDNSUnsupportedPlugins: as CKS does.
    "$WORK/kubeadm" upgrade apply "$TARGET" -y --ignore-preflight-errors=CreateJob,CoreDNSUnsupportedPlugins </dev/null
  else
    "$WORK/kubeadm" upgrade node </dev/null
  fi
  touch "$WORK/upgraded"
}

# A restart of containerd or of the kubelet may end the pod that runs this, so the host does the rest on its own.
write_finish() {
  cat > "$WORK/finish.sh" <<'FINISH'
set -euo pipefail
WORK="$1"
pause="$(ctr -n k8s.io images ls -q | grep '/pause:' | sort -V | tail -n 1)"
systemctl stop kubelet
install -m 0755 "$WORK/kubeadm" "$WORK/kubelet" "$WORK/kubectl" /opt/bin/
sed -i -E "s#^([[:space:]]*sandbox(_image)? = ).*#\1\"$pause\"#" /etc/containerd/config.toml
systemctl daemon-reload
systemctl restart containerd
systemctl start kubelet
rm -rf "$WORK"
FINISH
}

# Read as a whole before anything runs: this text arrives through standard input.
main() {
  if [ "$(/opt/bin/kubelet --version)" = "Kubernetes $TARGET" ] && ! [ -e "$WORK" ]; then
    say "this node has $TARGET already"
    return 0
  fi
  if systemctl is-active --quiet "$UNIT"; then
    say 'the rest is being done'
    return 0
  fi
  mkdir -p "$WORK" "$ISO"
  stage
  upgrade
  write_finish
  systemctl reset-failed "$UNIT" 2>/dev/null || true
  systemd-run --unit="$UNIT" --collect /bin/bash "$WORK/finish.sh" "$WORK"
  say "the rest is done by $UNIT"
}

main
`;

/** What the upgrade job runs on the host (D.6). Needs the target's ISO in the machine's drive. */
export function upgradeScript(request: UpgradeScriptRequest): string {
  return script
    .replace('@TARGET@', `v${plainVersion(request.targetVersion)}`)
    .replace('@FIRST@', request.first ? 'yes' : 'no');
}
