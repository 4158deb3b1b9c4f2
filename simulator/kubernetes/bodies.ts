/** Bodies of requests, parsed. */
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject, textAt } from '@/simulator/core/json';
import type { ApiRequest } from './request';
import { apiVersionOf, otherVersions, type Resource } from './resources';
import { StatusError } from './status';

function parseBody(request: ApiRequest): Json {
  const text = request.body.toString('utf8');
  try {
    return (request.contentType.includes('yaml') ? parse(text) : JSON.parse(text)) as Json;
  } catch (error) {
    throw new StatusError(
      400,
      `couldn't parse the body: ${error instanceof Error ? error.message.split('\n')[0] : ''}`,
    );
  }
}

/** A whole object of this kind. */
export function readObject(request: ApiRequest, resource: Resource): JsonObject {
  if (request.contentType.includes('protobuf'))
    throw new StatusError(
      415,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    );
  const object = parseBody(request);
  if (!isObject(object)) throw new StatusError(400, 'an object is expected');
  const kind = textAt(object, 'kind');
  const version = textAt(object, 'apiVersion');
  const known =
    version === undefined ||
    version === apiVersionOf(resource) ||
    `${resource.group}/${otherVersions[version]}` === apiVersionOf(resource);
  if ((kind !== undefined && kind !== resource.kind) || !known) {
    throw new StatusError(
      400,
      `the object provided is unrecognized (must be of type ${resource.kind}): ${version ?? ''} ${kind ?? ''}`,
    );
  }
  return object;
}

export function readPatch(request: ApiRequest): Json {
  return parseBody(request);
}

/** Options of a delete, which may come as a body; an empty one has none. */
export function readOptions(request: ApiRequest): JsonObject {
  if (request.body.length === 0) return {};
  const options = parseBody(request);
  return isObject(options) ? options : {};
}
