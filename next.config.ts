import type { NextConfig } from 'next';

const config: NextConfig = {
  typedRoutes: true,
  // `npm run check` checks types, tests included; a build need not do it again.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
};

export default config;
