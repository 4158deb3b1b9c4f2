/** Where the states and the ways between them lie in the diagram: fixed lanes, drawn by hand, checked by a test against the machine. */
import type { ClusterState } from '@/domain/states';

export const machineSize = { width: 1310, height: 630 } as const;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const height = 46;
const usual = 126;
/** Running and Alert have the most ways in and out. */
const wide = 180;
const at = (x: number, y: number, width = usual): Box => ({ x: x - width / 2, y: y - height / 2, width, height });

/** Rest above, operations in the middle row, trouble below, the end at the bottom. */
export const boxes: Readonly<Record<ClusterState, Box>> = {
  Created: at(90, 80),
  Running: at(620, 80, wide),
  Stopped: at(1190, 80),
  Starting: at(210, 250),
  Upgrading: at(380, 250),
  Scaling: at(520, 250),
  Importing: at(720, 250),
  RemovingNodes: at(862, 250),
  Stopping: at(1020, 250),
  ScalingStoppedCluster: at(1190, 250),
  Error: at(90, 430),
  Recovering: at(300, 430),
  Alert: at(620, 430, wide),
  Destroying: at(620, 590),
  Destroyed: at(900, 590),
};

export type EdgeKey = `${ClusterState}>${ClusterState}`;

/** Corner points of each way, from border to border. */
export const edgeRoutes: Readonly<Partial<Record<EdgeKey, string>>> = {
  'Created>Starting': '90,103 90,250 147,250',
  'Created>Destroying': '27,80 12,80 12,602 557,602',
  'Starting>Running': '190,227 190,95 530,95',
  'Starting>Alert': '195,273 195,358 551,358 551,407',
  'Starting>Error': '170,273 170,335 90,335 90,407',
  'Starting>Stopping': '250,273 250,290 990,290 990,273',
  'Running>Stopping': '710,95 1020,95 1020,227',
  'Running>Alert': '620,103 620,407',
  'Running>Upgrading': '545,103 545,138 365,138 365,227',
  'Running>Scaling': '575,103 575,168 508,168 508,227',
  'Running>Importing': '667,103 667,168 734,168 734,227',
  'Running>RemovingNodes': '698,103 698,138 878,138 878,227',
  'Running>Destroying': '636,103 636,384 728,384 728,580 683,580',
  'Stopping>Stopped': '1042,227 1042,70 1127,70',
  'Stopping>Alert': '1032,273 1032,358 691,358 691,407',
  'Stopped>Starting': '1190,57 1190,24 232,24 232,227',
  'Stopped>ScalingStoppedCluster': '1178,103 1178,227',
  'Stopped>Destroying': '1253,80 1292,80 1292,520 640,520 640,567',
  'Stopped>Alert': '1127,92 1105,92 1105,422 710,422',
  'Scaling>Running': '538,227 538,184 590,184 590,103',
  'Scaling>Alert': '505,273 505,319 584,319 584,407',
  'ScalingStoppedCluster>Stopped': '1204,227 1204,103',
  'ScalingStoppedCluster>Alert': '1190,273 1190,440 710,440',
  'Upgrading>Running': '395,227 395,153 560,153 560,103',
  'Upgrading>Alert': '370,273 370,345 562,345 562,407',
  'Importing>Running': '704,227 704,184 652,184 652,103',
  'RemovingNodes>Running': '848,227 848,153 683,153 683,103',
  'Alert>Starting': '540,407 540,372 222,372 222,273',
  'Alert>Stopping': '679,407 679,344 1008,344 1008,273',
  'Alert>Scaling': '595,407 595,306 535,306 535,273',
  'Alert>Upgrading': '573,407 573,332 395,332 395,273',
  'Alert>Importing': '655,407 655,316 705,316 705,273',
  'Alert>RemovingNodes': '667,407 667,330 847,330 847,273',
  'Alert>Recovering': '530,440 363,440',
  'Alert>Destroying': '608,453 608,567',
  'Recovering>Running': '300,407 300,66 530,66',
  'Recovering>Alert': '363,420 530,420',
  'Recovering>Error': '237,420 153,420',
  'Destroying>Destroyed': '683,596 837,596',
  'Error>Destroying': '90,453 90,580 557,580',
  'Error>Recovering': '153,440 237,440',
};
