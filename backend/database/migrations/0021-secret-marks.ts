// Fingerprints of the secrets that all processes on one PostgreSQL must share. SQLite has one data
// folder, and these lie in it.
export const statements = (isPostgres: boolean) =>
  isPostgres
    ? ['create table if not exists "secretMark" (name text primary key, mark text not null)']
    : []
