// Steps that migrations share.
import { sql } from 'kysely'
import type { AnyDatabase } from './dialect.ts'

/** The primary key `seq`, counting up and never reused. */
export function sequenceColumn(isPostgres: boolean): string {
  return isPostgres
    ? 'seq bigint generated always as identity primary key'
    : 'seq integer primary key autoincrement'
}

export async function runStatements(db: AnyDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

export type CacheTagChange = {
  table: string
  /** Tells triggers on one event of a table apart. */
  name?: string
  /** As SQL has it, such as `update of name`. */
  event: string
  when?: string
  /** Selects of the tags that get another version; `new` and `old` are the rows of the trigger. */
  raises: string[]
}

/** A trigger that raises cache tags, as those of migrations/0101-cache-tags.ts. */
export function cacheTagTriggers(isPostgres: boolean, change: CacheTagChange): string[] {
  const { table, event, when, name, raises } = change
  const triggerName = ['tags', table, event.split(' ')[0], ...(name ? [name] : [])].join('_')
  const condition = when ? `when (${when})` : ''
  const [slot, random] = isPostgres
    ? ['pg_backend_pid() % 16', 'floor(random() * 281474976710656)::bigint']
    : ['0', 'abs(random() % 281474976710656)']
  const once = isPostgres ? 'where "cacheTag".xmin <> pg_current_xact_id()::xid' : ''
  const raise = `insert into "cacheTag" (name, slot, version)
    select tag, ${slot}, ${random} from (${[`select 'all' as tag`, ...raises].join(' union ')}) as tags
    where tag is not null order by tag
    on conflict (name, slot) do update set version = excluded.version ${once};`
  if (!isPostgres)
    return [
      `create trigger "${triggerName}" after ${event} on "${table}" ${condition}
        begin ${raise} end`,
    ]
  return [
    `create function "${triggerName}"() returns trigger language plpgsql set enable_seqscan = off
      as $$ begin ${raise} return null; end $$`,
    `create constraint trigger "${triggerName}" after ${event} on "${table}"
      deferrable initially deferred for each row ${condition} execute function "${triggerName}"()`,
  ]
}
