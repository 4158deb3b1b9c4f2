/** A last guard: what is stored holds no secret, and if something slips in, no page and no export shows it. */
const secretName = /(secret|token|password|passphrase|kubeconfig|private_?key|credential)/i;
/** `token` is also the name of the fencing token, a number. */
const isHarmless = (value: unknown) => typeof value === 'number' || typeof value === 'boolean' || value === null;

export function withoutSecrets(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && !isHarmless(inner) ? '••••••' : masked(inner),
    ]),
  );
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value === 'object' && value !== null) return withoutSecrets(value as Record<string, unknown>);
  return value;
}
