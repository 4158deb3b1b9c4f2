import { kubeadmPath } from './setup-paths';

/** The part of the script for control nodes and workers; follows `setupPreamble`. */
export const nodeParts = String.raw`
# User data holds secrets until Holdfast replaces it: hosts may ask the data server, pods may not.
shield_data_server() {
  local address
  command -v iptables >/dev/null || return 0
  for address in $(getent ahostsv4 data-server | awk '{ print $1 }' | sort -u) $(ip -4 route show default | awk '{ print $3 }'); do
    iptables -w -t mangle -C FORWARD -d "$address" -p tcp --dport 80 -j DROP 2>/dev/null ||
      iptables -w -t mangle -I FORWARD -d "$address" -p tcp --dport 80 -j DROP
  done
}

prepare_kernel() {
  printf '%s\n' overlay br_netfilter > /etc/modules-load.d/holdfast.conf
  modprobe overlay
  modprobe br_netfilter
  printf '%s = 1\n' net.bridge.bridge-nf-call-iptables net.bridge.bridge-nf-call-ip6tables net.ipv4.ip_forward \
    > /etc/sysctl.d/99-holdfast.conf
  sysctl -p /etc/sysctl.d/99-holdfast.conf >/dev/null
  swapoff -a
  sed -i -E '/^[^#].*[[:space:]]swap[[:space:]]/s/^/#/' /etc/fstab
}

configure_containerd() {
  local config=/etc/containerd/config.toml pause
  mkdir -p /etc/containerd
  if ! grep -q SystemdCgroup "$config" 2>/dev/null; then containerd config default > "$config"; fi
  pause="$(ctr -n k8s.io images ls -q | grep '/pause:' | sort -V | tail -n 1)"
  sed -i -E -e 's/SystemdCgroup = false/SystemdCgroup = true/' -e 's/^(disabled_plugins = ).*"cri".*/\1[]/' \
    -e "s#^([[:space:]]*sandbox(_image)? = ).*#\1\"$pause\"#" "$config"
  systemctl restart containerd
}

unpack() {
  local found image
  if is_done unpack; then return 0; fi
  wait_for_iso
  install -m 0755 "$ISO/k8s/kubeadm" "$ISO/k8s/kubelet" "$ISO/k8s/kubectl" /opt/bin/
  found="$(/opt/bin/kubeadm version -o short)"
  if [ "$found" != "v$KUBERNETES_VERSION" ]; then
    say "the ISO holds $found, this node wants v$KUBERNETES_VERSION"
    umount "$ISO"
    exit 1
  fi
  mkdir -p /opt/cni/bin /etc/cni/net.d /etc/systemd/system/kubelet.service.d "$STATE/manifests"
  tar -C /opt/cni/bin -xzf "$(ls "$ISO"/cni/cni-plugins-*"$ARCH"*.tgz | head -n 1)"
  tar -C /opt/bin -xzf "$(ls "$ISO"/cri-tools/crictl-linux-*"$ARCH"*.tar.gz | head -n 1)"
  sed 's:/usr/bin:/opt/bin:g' "$ISO/kubelet.service" > /etc/systemd/system/kubelet.service
  sed 's:/usr/bin:/opt/bin:g' "$ISO/10-kubeadm.conf" > /etc/systemd/system/kubelet.service.d/10-kubeadm.conf
  cp "$ISO"/*.yaml "$STATE/manifests/"
  systemctl daemon-reload
  systemctl enable --now containerd
  for image in "$ISO"/docker/*.tar; do ctr -n k8s.io images import "$image"; done
  umount "$ISO"
  configure_containerd
  done_with unpack
}

# kubeadm must begin with what user data brought and nothing else; a reset would take the authorities away.
reset_node() {
  kubeadm reset -f --cri-socket unix:///run/containerd/containerd.sock || true
  rm -rf /etc/kubernetes/pki
  if [ -d "$STATE/pki" ]; then cp -a "$STATE/pki" /etc/kubernetes/pki; fi
}

run_kubeadm() {
  if is_done kubeadm; then return 0; fi
  systemctl enable kubelet
  if [ -e "$STATE/kubeadm.begun" ]; then
    reset_node
  elif [ -d /etc/kubernetes/pki ]; then
    rm -rf "$STATE/pki"
    cp -a /etc/kubernetes/pki "$STATE/pki"
  fi
  touch "$STATE/kubeadm.begun"
  if [ "$ROLE" = init ]; then kubeadm init --config ${kubeadmPath}; else kubeadm join --config ${kubeadmPath}; fi
  done_with kubeadm
}

apply() { kubectl --kubeconfig /etc/kubernetes/admin.conf apply --server-side --force-conflicts --field-manager=holdfast-setup -f "$1"; }

put_manifests() {
  local name="$1"
  shift
  kubectl create configmap "$name" --namespace kube-system "$@" --dry-run=client -o yaml | apply -
}

# One key a file; what does not fit into one ConfigMap goes into holdfast-manifests-2, and so on.
publish_manifests() {
  local name=holdfast-manifests part=1 size=0 bytes file
  set --
  for file in "$STATE"/manifests/*.yaml; do
    bytes="$(stat -c %s "$file")"
    if [ "$bytes" -gt "$CONFIG_MAP_BYTES" ]; then say "$file is too large to publish"; continue; fi
    if [ $((size + bytes)) -gt "$CONFIG_MAP_BYTES" ]; then
      put_manifests "$name" "$@"
      part=$((part + 1))
      name="holdfast-manifests-$part"
      size=0
      set --
    fi
    size=$((size + bytes))
    set -- "$@" "--from-file=$file"
  done
  put_manifests "$name" "$@"
}

shield_data_server || say 'the data server is not shielded'
if is_done setup; then exit 0; fi
prepare_kernel
unpack
run_kubeadm
if [ "$ROLE" = init ]; then
  publish_manifests
  apply "$STATE/manifests/network.yaml"
fi
rm -rf "$STATE/pki" ${kubeadmPath}
done_with setup
say "this machine is a node"
`;
