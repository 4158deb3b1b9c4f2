/** All commands, and the one that lists them. A name that is not here is answered with 401, as the real cloud does by key. */
import type { JsonObject } from '@/simulator/core/json';
import type { Command } from './command';
import { addressCommands } from './commands-addresses';
import { balancerCommands } from './commands-balancer';
import { clientCommands } from './commands-clients';
import { environmentCommands } from './commands-environment';
import { firewallCommands } from './commands-firewall';
import { forwardingCommands } from './commands-forwarding';
import { machineChangeCommands } from './commands-machine-change';
import { deployVirtualMachine } from './commands-machine-deploy';
import { machineCommands } from './commands-machines';
import { networkCommands } from './commands-networks';
import { restCommands } from './commands-rest';
import { tagCommands } from './commands-tags';
import { invalid } from './errors';
import { listAnswer } from './paging';
import { idOf, listParameters, type Parameter, text } from './parameters';

function parameterView([name, parameter]: [string, Parameter]): JsonObject {
  return {
    name,
    description: parameter.entity === null ? `the ${name}` : `the id of the ${parameter.entity}`,
    type: parameter.type === 'uuid' ? 'uuid' : parameter.type,
    length: parameter.length,
    required: parameter.required,
  };
}

function commandView(command: Command): JsonObject {
  const parameters = command.kind === 'sync' ? command.parameters : { ...command.parameters, customjobid: idOf() };
  return {
    name: command.name,
    description: command.description,
    isasync: command.kind !== 'sync',
    related: '',
    params: Object.entries(parameters).map(parameterView),
    response: command.fields.map((name) => ({ name, type: 'string', description: `the ${name}` })),
    httprequesttype: /^(get|list|query|find)/.test(command.name) ? 'GET' : 'POST',
  };
}

const listApis: Command = {
  name: 'listApis',
  description: 'lists all available apis on the server, provided by the Api Discovery plugin',
  kind: 'sync',
  parameters: { ...listParameters, name: text() },
  fields: ['name', 'description', 'isasync', 'params', 'response'],
  run: (call, args) => {
    const name = args.text('name');
    const found = [...table.values()].filter(
      (command) =>
        (name === undefined || command.name.toLowerCase() === name.toLowerCase()) &&
        (call.caller.isRoot || command.rootOnly !== true),
    );
    if (found.length === 0) throw invalid(`The API ${name ?? ''} is not available`);
    return listAnswer(args, 'api', found, commandView);
  },
};

const table: ReadonlyMap<string, Command> = new Map(
  [
    ...environmentCommands,
    ...networkCommands,
    ...addressCommands,
    ...firewallCommands,
    ...balancerCommands,
    ...forwardingCommands,
    deployVirtualMachine,
    ...machineCommands,
    ...machineChangeCommands,
    ...tagCommands,
    ...restCommands,
    ...clientCommands,
    listApis,
  ].map((command) => [command.name, command]),
);

/** Case-sensitive, as on the real server. */
export function findCommand(name: string): Command | undefined {
  return table.get(name);
}
