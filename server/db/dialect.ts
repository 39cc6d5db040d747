/**
 * Whether this process uses PostgreSQL. `DATABASE_URL` decides it once, before any module is loaded: modules choose their SQL at load
 * time, so that queries pay nothing for the choice.
 */
export const onPostgres = /^postgres(?:ql)?:\/\//.test(process.env.DATABASE_URL ?? '');
