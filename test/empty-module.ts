/** Stands for `server-only` in tests: that package throws outside Next's bundles. */
export {};
