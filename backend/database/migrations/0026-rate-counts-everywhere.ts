// How many calls were made under each rate limit, counted together by all processes. PostgreSQL
// keeps no log of it: after a crash it is empty.

export const statements = (isPostgres: boolean) => [
  `create ${isPostgres ? 'unlogged' : ''} table if not exists "rateCount" (id text primary key,
       "endMs" bigint not null, calls double precision not null)`,
]
