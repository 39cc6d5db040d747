/**
 * Whether this process works on PostgreSQL. It is said once, before anything is loaded, by `DATABASE_URL`: then the words of
 * queries are chosen as modules are, and choosing costs no query anything.
 */
export const onPostgres = /^postgres(?:ql)?:\/\//.test(process.env.DATABASE_URL ?? '');
