/** Checks that several machine commands share. */
import type { Offering } from '@/simulator/core/model';
import type { World } from '@/simulator/world';
import type { Call } from './command';
import { invalid } from './errors';
import type { Args } from './parameters';

/** Standard base64, and within the server's limit. */
export function checkUserData(world: World, userData: string | undefined): void {
  if (userData === undefined || userData === '') return;
  if (userData.length % 4 !== 0 || !/^[A-Za-z0-9+/\r\n]*={0,2}$/.test(userData))
    throw invalid('User data is not base64 encoded');
  const limit = world.settings.maxUserDataLength;
  if (userData.length > limit) throw invalid(`User data has exceeded configurable max length: ${limit}`);
}

export function findOffering(call: Call, args: Args): Offering {
  const id = args.must('serviceofferingid');
  const offering = call.world.records.get('offering', id);
  if (offering === undefined) throw invalid(`Unable to find service offering with id ${id}`);
  if (offering.custom) throw invalid('Need to specify the CPU number, speed and memory for a custom offering');
  return offering;
}
