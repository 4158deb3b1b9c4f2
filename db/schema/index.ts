/** Every table, for drizzle's client and drizzle-kit. Elsewhere tables are imported from their own file. */
import * as auth from './auth';
import * as clusters from './clusters';
import * as enums from './enums';
import * as jobs from './jobs';
import * as records from './records';
import * as servers from './servers';

export const schema = { ...auth, ...clusters, ...enums, ...jobs, ...records, ...servers };
