// What the operator sets in the browser: a row for each value. Triggers raise the public version,
// so that every process reads the values again.
import { FUNCTIONS_OF_POSTGRES } from './0025-public-version.ts'

const EVENTS = ['insert', 'update', 'delete']

export function statements(isPostgres: boolean): string[] {
  return [
    'create table if not exists "siteValue" (name text primary key, value text not null)',
    ...(isPostgres ? FUNCTIONS_OF_POSTGRES : []),
    ...EVENTS.flatMap(isPostgres ? onPostgres : onSqlite),
  ]
}

function onSqlite(event: string): string[] {
  return [
    `create trigger if not exists "public_siteValue_${event}" after ${event} on "siteValue" begin
      update "publicVersion" set version = version + 1; end`,
  ]
}

function onPostgres(event: string): string[] {
  const name = `"public_siteValue_${event}"`
  return [
    `drop trigger if exists ${name} on "siteValue"`,
    `create constraint trigger ${name} after ${event} on "siteValue"
      deferrable initially deferred for each row execute function "raisePublicVersion"()`,
  ]
}
