/** Templates and ISOs. */

import type { JsonObject } from '@/simulator/core/json';
import type { Iso, Template } from '@/simulator/core/model';
import type { Call, Outcome } from './command';
import { invalid } from './errors';
import { hasKeyword, isAsked, listAnswer } from './paging';
import type { Args } from './parameters';
import { guestOsId, ownershipView } from './views';

function templateView(call: Call, template: Template): JsonObject {
  return {
    id: template.id,
    name: template.name,
    displaytext: template.name,
    isready: template.ready,
    status: template.ready ? 'Download Complete' : '47% Downloaded',
    format: 'QCOW2',
    hypervisor: 'KVM',
    ispublic: template.isPublic,
    isfeatured: template.featured,
    zoneid: template.zoneId,
    zonename: call.world.records.get('zone', template.zoneId)?.name ?? '',
    size: 2_147_483_648,
    ostypeid: guestOsId,
    ostypename: 'Debian GNU/Linux 12 (64-bit)',
    passwordenabled: false,
    templatetype: template.system ? 'SYSTEM' : 'USER',
    isdynamicallyscalable: template.dynamicallyScalable,
    forcks: template.forKubernetes,
    arch: 'x86_64',
    ...ownershipView(template.account),
    tags: [],
  };
}

function isTemplateListed(call: Call, filter: string, template: Template): boolean {
  const own = template.account === call.caller.account;
  const shared = template.permittedAccounts.includes(call.caller.account);
  switch (filter) {
    case 'featured':
      return template.isPublic && template.featured;
    case 'community':
      return template.isPublic && !template.featured;
    case 'self':
    case 'selfexecutable':
      return own && (filter === 'self' || template.ready);
    case 'shared':
    case 'sharedexecutable':
      return shared && (filter === 'shared' || template.ready);
    case 'executable':
      return template.ready && (template.isPublic || own || shared);
    case 'all':
      if (!call.caller.isRoot) throw invalid('Filter all can be specified by admin only');
      return true;
    default:
      throw invalid(`Please specify a valid template filter: ${filter}`);
  }
}

export function listTemplates(call: Call, args: Args): Outcome {
  const filter = args.must('templatefilter').toLowerCase();
  const found = call.world.records
    .all('template')
    .filter(
      (template) =>
        isTemplateListed(call, filter, template) &&
        isAsked(args, 'id', template.id) &&
        isAsked(args, 'name', template.name) &&
        isAsked(args, 'zoneid', template.zoneId) &&
        hasKeyword(args, template.name),
    );
  return listAnswer(args, 'template', found, (template) => templateView(call, template));
}

function isoView(call: Call, iso: Iso): JsonObject {
  return {
    id: iso.id,
    name: iso.name,
    displaytext: iso.name,
    isready: iso.ready,
    status: iso.ready ? 'Successfully Installed' : '12% Downloaded',
    ispublic: true,
    isfeatured: false,
    zoneid: iso.zoneId,
    zonename: call.world.records.get('zone', iso.zoneId)?.name ?? '',
    size: 734_003_200,
    bootable: false,
    checksum: `{MD5}${iso.id.replaceAll('-', '')}`,
    ...ownershipView('admin'),
    tags: [],
  };
}

export function listIsos(call: Call, args: Args): Outcome {
  const ready = args.flag('isready');
  const found = call.world.records
    .all('iso')
    .filter(
      (iso) =>
        isAsked(args, 'id', iso.id) &&
        isAsked(args, 'name', iso.name) &&
        isAsked(args, 'zoneid', iso.zoneId) &&
        (ready === undefined || ready === iso.ready) &&
        args.flag('bootable') !== true &&
        hasKeyword(args, iso.name),
    );
  return listAnswer(args, 'iso', found, (iso) => isoView(call, iso));
}
