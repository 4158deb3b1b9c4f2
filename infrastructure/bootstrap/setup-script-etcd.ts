/** The part of the script for separate etcd nodes; follows `setupPreamble`. */
export const etcdParts = `
if is_done setup; then exit 0; fi
wait_for_iso
if ! [ -f "$ISO/etcd/etcd-linux-$ARCH.tar.gz" ]; then
  say 'this ISO holds no etcd'
  umount "$ISO"
  exit 1
fi
mkdir -p "$STATE/etcd" /var/lib/etcd
chmod 0700 /var/lib/etcd
tar -C "$STATE/etcd" --strip-components=1 -xzf "$ISO/etcd/etcd-linux-$ARCH.tar.gz"
umount "$ISO"
install -m 0755 "$STATE/etcd/etcd" "$STATE/etcd/etcdctl" /opt/bin/
rm -rf "$STATE/etcd"
systemctl daemon-reload
systemctl enable etcd.service
# Its start waits for the other members, which may be booting still.
systemctl start --no-block etcd.service
done_with setup
say "this machine is an etcd member"
`;
