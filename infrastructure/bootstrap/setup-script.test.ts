import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderSettings, type SetupSettings, setupScript } from './setup-script';

/*
 * Runs the script itself, in a directory that stands for the machine: absolute paths point into it, and the programs that would
 * change a machine only say that they were called.
 */
let root: string;
const hasBash = spawnSync('bash', ['--version']).status === 0;

const programs: Readonly<Record<string, string>> = {
  blkid: 'echo /dev/sr0',
  mount: 'cp -r "$ROOT/iso/." "$ROOT/mnt/holdfast/"',
  umount: 'rm -rf "$ROOT/mnt/holdfast" && mkdir "$ROOT/mnt/holdfast"',
  mountpoint: 'exit 1',
  ctr: '[ "$3" = images ] && [ "$4" = ls ] && echo registry.k8s.io/pause:3.9; true',
  kubectl: '[ "$1" = create ] && echo "$*" >> "$ROOT/created"; cat >/dev/null; true',
  containerd: 'echo "    SystemdCgroup = false"; echo "    sandbox_image = \\"old\\""',
  iptables: 'true',
  ip: 'true',
  getent: 'true',
  modprobe: 'true',
  sysctl: 'true',
  swapoff: 'true',
  systemctl: 'true',
};
/** On the ISO: not executable there, and the first call may be told to fail. */
const kubeadm = `#!/bin/bash
echo "kubeadm $*" >> "$ROOT/calls"
if [ "$1" = version ]; then echo v1.31.4; exit 0; fi
if [ "$1" = reset ]; then rm -rf "$ROOT/etc/kubernetes/pki"; exit 0; fi
echo leaf > "$ROOT/etc/kubernetes/pki/apiserver.crt"
if [ -e "$ROOT/fail-once" ]; then rm "$ROOT/fail-once"; exit 1; fi
`;

const write = (path: string, content: string, mode = 0o644) => {
  const full = join(root, path);
  mkdirSync(join(full, '..'), { recursive: true });
  writeFileSync(full, content);
  chmodSync(full, mode);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-setup-'));
  for (const [name, body] of Object.entries(programs)) {
    write(`bin/${name}`, `#!/bin/bash\necho "${name} $*" >> "$ROOT/calls"\n${body}\n`, 0o755);
  }
  const say = '#!/bin/bash\nexec "$ROOT/bin/kubectl" "$@"\n';
  for (const [path, content] of [
    ['k8s/kubeadm', kubeadm],
    ['k8s/kubelet', ''],
    ['k8s/kubectl', say],
    ['kubelet.service', 'ExecStart=/usr/bin/kubelet\n'],
    ['10-kubeadm.conf', ''],
    ['docker/images.tar', ''],
    ['network.yaml', 'n'],
    ['provider.yaml', 'p'.repeat(500_000)],
    ['snapshot-crds.yaml', 's'.repeat(600_000)],
  ] as const) {
    write(`iso/${path}`, content);
  }
  for (const archive of [
    'cni/cni-plugins-amd64.tgz',
    'cri-tools/crictl-linux-amd64.tar.gz',
    'etcd/etcd-linux-amd64.tar.gz',
  ]) {
    write('archive/top/etcd', '');
    write('archive/top/etcdctl', '');
    mkdirSync(join(root, 'iso', archive, '..'), { recursive: true });
    execFileSync('tar', ['-C', join(root, 'archive'), '-czf', join(root, 'iso', archive), 'top']);
    execFileSync('cp', [join(root, 'iso', archive), join(root, 'iso', archive.replace('amd64', 'arm64'))]);
  }
  write('etc/kubernetes/pki/ca.key', 'secret');
  write('etc/fstab', '/swap none swap sw 0 0\n');
  for (const directory of ['etc/modules-load.d', 'etc/sysctl.d', 'mnt'])
    mkdirSync(join(root, directory), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function run(role: SetupSettings['role'], kubernetesVersion = '1.31.4') {
  write('etc/holdfast/node.env', renderSettings({ role, kubernetesVersion, isoWaitSeconds: 0 }));
  const script = setupScript(role)
    .replace(/PATH="[^"]*"/, `PATH="${root}/bin:${root}/opt/bin:$PATH"`)
    .replaceAll(/(?<![\w"$.}/:])\/(opt|etc|var|mnt)\//g, `${root}/$1/`);
  write('setup.sh', script);
  return spawnSync('bash', [join(root, 'setup.sh')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, ROOT: root },
  });
}
const calls = () => readFileSync(join(root, 'calls'), 'utf8').split('\n');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe.skipIf(!hasBash)('the set-up script', () => {
  it('makes a first control node: unpacks, initialises, publishes, then applies the network, and leaves no secrets behind', () => {
    write('etc/holdfast/kubeadm.yaml', 'token');
    const ended = run('init');
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(calls()).toContain(`kubeadm init --config ${root}/etc/holdfast/kubeadm.yaml`);
    expect(read('etc/systemd/system/kubelet.service')).toBe('ExecStart=/opt/bin/kubelet\n');
    expect(read('etc/containerd/config.toml')).toBe(
      '    SystemdCgroup = true\n    sandbox_image = "registry.k8s.io/pause:3.9"\n',
    );
    expect(read('etc/fstab')).toMatch(/^#/);
    expect(existsSync(join(root, 'etc/holdfast/kubeadm.yaml'))).toBe(false);
    expect(existsSync(join(root, 'var/lib/holdfast/pki'))).toBe(false);
    const order = calls().filter((line) => /kubectl (create|.*network\.yaml)/.test(line));
    expect(order.at(-1)).toContain('network.yaml');
    // A ConfigMap holds 1 MiB, so they are split over as many as they need.
    const [first, second, none] = read('created').split('\n');
    expect(first).toMatch(
      /^create configmap holdfast-manifests --namespace kube-system .*network\.yaml .*provider\.yaml --dry-run/,
    );
    expect(second).toMatch(
      /^create configmap holdfast-manifests-2 --namespace kube-system --from-file=\S*snapshot-crds\.yaml --dry-run/,
    );
    expect(none).toBe('');
  });

  it('tries again after a failure with the authorities it was given, and nothing of the failed attempt', () => {
    write('fail-once', '');
    expect(run('init').status).toBe(1);
    expect(existsSync(join(root, 'etc/kubernetes/pki/apiserver.crt'))).toBe(true);
    expect(run('init').status).toBe(0);
    expect(read('etc/kubernetes/pki/ca.key')).toBe('secret');
    const own = calls().filter((line) => /^kubeadm (init|reset)/.test(line));
    expect(own.map((line) => line.split(' ')[1])).toEqual(['init', 'reset', 'init']);
    expect(calls().filter((line) => line.startsWith('mount '))).toHaveLength(1);
  });

  it('does nothing but shield the data server once it is done', () => {
    expect(run('worker').status).toBe(0);
    const before = calls().filter((line) => line.startsWith('kubeadm ')).length;
    expect(run('worker').status).toBe(0);
    expect(calls().filter((line) => line.startsWith('kubeadm '))).toHaveLength(before);
    expect(calls()).toContain(`kubeadm join --config ${root}/etc/holdfast/kubeadm.yaml`);
  });

  it('waits for another ISO when this one holds another version', () => {
    const ended = run('worker', '1.32.1');
    expect(ended.status).toBe(1);
    expect(ended.stdout).toContain('the ISO holds v1.31.4, this node wants v1.32.1');
    expect(existsSync(join(root, 'var/lib/holdfast/setup.done'))).toBe(false);
  });

  it('gives up until the next boot, without a failure, when no ISO comes', () => {
    write('bin/blkid', '#!/bin/bash\ntrue\n', 0o755);
    const ended = run('worker');
    expect(ended.status).toBe(0);
    expect(ended.stdout).toContain('giving up until the next boot');
  });

  it('makes an etcd member', () => {
    expect(run('etcd')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(join(root, 'opt/bin/etcdctl'))).toBe(true);
    expect(calls()).toContain('systemctl start --no-block etcd.service');
  });
});
