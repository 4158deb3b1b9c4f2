/**
 * Who may import whom: app → components → app/actions → scanner → worker → db, infrastructure contract → domain.
 * Each rule says why; tests, measurements and tools may reach everywhere.
 */
const proof = String.raw`\.test\.tsx?$|-for-tests\.ts$|^(test|e2e|bench|scripts)/|^infrastructure/conformance/`;
const contract = '^infrastructure/[^/]+[.]ts$';
const driver = '^infrastructure/(cloudstack|kube|memory)/';

/** A room may import itself and the listed paths of the project; packages are the business of other rules. */
function room(name, path, allowed, comment, { typesToo = true } = {}) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path, pathNot: proof },
    to: {
      path: '^(app|auth|components|db|domain|infrastructure|scanner|simulator|worker)/|^(env|runtime|instrumentation|proxy)[.]ts$',
      pathNot: allowed,
      ...(typesToo ? {} : { dependencyTypesNot: ['type-only'] }),
    },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle has no direction. Types may refer to each other; code may not.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: { pathNot: proof },
      to: { couldNotResolve: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'domain/ is what is true: plain values and functions, zod and nothing else.',
      severity: 'error',
      from: { path: '^domain/', pathNot: proof },
      to: { pathNot: '^domain/|node_modules/zod/' },
    },
    room('db-knows-domain-only', '^db/', ['^(db|domain)/'], 'db/ stores; it decides nothing and calls nobody.'),
    room(
      'contract-knows-domain-only',
      contract,
      ['^domain/', contract],
      'The contract with the cloud is free of any driver.',
    ),
    room(
      'bootstrap-knows-contract-only',
      '^infrastructure/bootstrap/',
      ['^domain/', contract, '^infrastructure/bootstrap/'],
      'What a node is told at its first boot does not depend on a driver.',
    ),
    room(
      'drivers-know-the-contract-only',
      driver,
      ['^domain/', contract, '^infrastructure/(cloudstack|kube|memory|bootstrap)/'],
      'A driver speaks to the outside and to the contract; it knows neither jobs nor pages.',
    ),
    room(
      'worker-direction',
      '^worker/',
      ['^(worker|db|domain)/', contract, '^infrastructure/bootstrap/'],
      'worker/ does; it knows neither who asked nor what is shown.',
    ),
    room(
      'scanner-direction',
      '^scanner/',
      ['^(scanner|worker|db|domain)/', contract],
      'scanner/ runs unasked; it stands above worker/.',
    ),
    room(
      'auth-direction',
      '^auth/',
      ['^(auth|db|domain)/', '^infrastructure/signature[.]ts$', '^(env|runtime)[.]ts$'],
      'auth/ knows who is asking, not what for. It verifies the signature of an autoscaler as CloudStack does.',
    ),
    room(
      'actions-direction',
      '^app/actions/',
      ['^app/actions/', '^(auth|scanner|worker|db|domain)/', contract, '^(env|runtime)[.]ts$'],
      'An action says who may ask, and calls; it shows nothing.',
    ),
    room(
      'components-direction',
      '^components/',
      ['^components/', '^app/actions/', '^domain/'],
      'components/ show what they are given. Of the rooms below they know types, never code: that would reach a browser.',
      { typesToo: false },
    ),
    {
      name: 'ui-knows-no-domain',
      comment: 'components/ui has no domain word in it.',
      severity: 'error',
      from: { path: '^components/ui/', pathNot: proof },
      to: { path: '^(app|auth|db|domain|infrastructure|scanner|worker)/|^components/(?!ui/)' },
    },
    {
      name: 'only-runtime-names-drivers',
      comment: 'runtime.ts is the composition root: the one place that says which cloud there is.',
      severity: 'error',
      from: { pathNot: [proof, '^runtime[.]ts$', driver] },
      to: { path: driver },
    },
    {
      name: 'only-db-speaks-sql',
      comment: 'Only db/ imports drizzle and the PostgreSQL client.',
      severity: 'error',
      from: { pathNot: [proof, '^db/'] },
      to: { path: 'node_modules/(drizzle-orm|postgres)/' },
    },
    {
      name: 'simulator-is-the-outside',
      comment: 'The simulated cloud is another program. Shared code would let both sides share a mistake.',
      severity: 'error',
      from: { path: '^simulator/', pathNot: proof },
      to: {
        path: '^(app|auth|components|db|domain|infrastructure|scanner|worker)/|^(env|runtime|instrumentation|proxy)[.]ts$',
      },
    },
    {
      name: 'nobody-imports-the-simulator',
      comment: 'The product knows the simulated cloud by its address only.',
      severity: 'error',
      from: { pathNot: [proof, '^simulator/'] },
      to: { path: '^simulator/' },
    },
    {
      name: 'product-without-proofs',
      comment: 'What is delivered does not lean on tests and tools.',
      severity: 'error',
      from: { pathNot: proof },
      to: { path: proof },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^([.]next|[.]holdfast|node_modules/[.]cache)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
