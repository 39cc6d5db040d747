import type { Services } from './services.ts';

/** The services that pages may call: those that check the actor's permissions. */
export type PageServices = Omit<
  Services,
  | 'records'
  | 'collecting'
  | 'incoming'
  | 'sweeper'
  | 'jobs'
  | 'mail'
  | 'daily'
  | 'deferred'
  | 'start'
  | 'stop'
>;

export function forPages(services: Services): PageServices {
  const {
    records: _,
    collecting: _c,
    incoming: _i,
    sweeper: _s,
    jobs: _j,
    mail: _m,
    daily: _t,
    deferred: _d,
    start: _b,
    stop: _e,
    ...pageServices
  } = services;
  return pageServices;
}
