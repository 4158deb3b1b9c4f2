/** Where user data puts what belongs to the set-up of a node. */
export const setupScriptPath = '/opt/holdfast/setup.sh';
export const settingsPath = '/etc/holdfast/node.env';
export const kubeadmPath = '/etc/holdfast/kubeadm.yaml';
export const setupUnitName = 'holdfast-setup.service';
