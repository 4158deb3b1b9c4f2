interface Tagged {
  readonly tags: Map<string, string>;
}

export function hasTags(resource: Tagged, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => resource.tags.get(key) === value);
}

/** Tags it and answers it. Throws when there is nothing to tag, which no caller allows to happen. */
export function withTags<T extends Tagged>(resource: T | undefined, wanted: Readonly<Record<string, string>>): T {
  if (resource === undefined) throw new Error('There is nothing to tag.');
  for (const [key, value] of Object.entries(wanted)) resource.tags.set(key, value);
  return resource;
}
