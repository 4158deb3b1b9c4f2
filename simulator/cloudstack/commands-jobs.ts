/** Asking about jobs. */

import type { JsonObject } from '@/simulator/core/json';
import type { Job } from '@/simulator/core/model';
import { accountId } from './accounts';
import { answer, type Call, type Outcome } from './command';
import { badParameter } from './errors';
import { hasKeyword, isVisible, listAnswer, mayUse } from './paging';
import type { Args } from './parameters';
import { dateText } from './views';

function jobView(job: Job): JsonObject {
  return {
    accountid: accountId(job.account),
    userid: job.user,
    cmd: `org.apache.cloudstack.api.command.user.${job.command.charAt(0).toUpperCase()}${job.command.slice(1)}Cmd`,
    jobstatus: job.status,
    jobprocstatus: 0,
    jobresultcode: job.code,
    ...(job.result === null ? {} : { jobresulttype: 'object', jobresult: job.result }),
    jobinstancetype: job.instanceType,
    jobinstanceid: job.instanceId,
    created: dateText(job.created),
    ...(job.completed === null ? {} : { completed: dateText(job.completed) }),
    jobid: job.id,
  };
}

export function queryAsyncJobResult(call: Call, args: Args): Outcome {
  const { records } = call.world;
  call.world.jobs.prune();
  const resourceId = args.text('resourceid');
  const id = args.text('jobid');
  const newest = records
    .all('job')
    .filter((candidate) => candidate.instanceId === resourceId)
    .sort((a, b) => b.created - a.created)[0];
  const job = id === undefined ? newest : records.get('job', id);
  if (job === undefined || job.vanished || !mayUse(call, job.account)) {
    throw badParameter(
      `Unable to find a job by id ${id ?? resourceId ?? ''}: Invalid parameter jobid, entity does not exist`,
    );
  }
  return answer(jobView(job));
}

export function listAsyncJobs(call: Call, args: Args): Outcome {
  const found = call.world.records
    .all('job')
    .filter(
      (job) => job.status === 0 && !job.vanished && isVisible(call, args, job.account) && hasKeyword(args, job.command),
    );
  return listAnswer(args, 'asyncjobs', found, jobView);
}
