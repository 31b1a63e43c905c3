// The public version: a number that grows with every change of what readers can see, and a second
// one that grows with likes. Triggers raise both, so that writes by other programs
// count, too. On PostgreSQL they do so at the end of a transaction and in one of several rows, so
// that writers do not wait for each other.

/** Each process of PostgreSQL raises one of these rows. */
const POSTGRES_ROWS = 16

export function createPublicVersion(isPostgres: boolean): string[] {
  const slots = Array.from({ length: isPostgres ? POSTGRES_ROWS : 1 }, (_, slot) => slot)
  return [
    `create table "publicVersion" (
      slot integer primary key,
      version bigint not null,
      likes bigint not null
    )`,
    `insert into "publicVersion" (slot, version, likes)
      values ${slots.map((slot) => `(${slot}, 1, 1)`).join(', ')}`,
    ...(isPostgres ? RAISE_ON_POSTGRES : []),
  ]
}

/** The trigger that raises the version after `event`, such as `update of name`. */
export function raiseVersion(
  isPostgres: boolean,
  table: string,
  event: string,
  when?: string,
): string {
  const condition = when ? `when (${when})` : ''
  return isPostgres
    ? postgresTrigger(table, event, `${condition} execute function "raisePublicVersion"()`)
    : sqliteTrigger(table, event, condition)
}

/** The triggers that raise the version after each insert, update and delete. */
export function raiseVersionAlways(isPostgres: boolean, table: string): string[] {
  return ['insert', 'update', 'delete'].map((event) => raiseVersion(isPostgres, table, event))
}

/** As `raiseVersion`, but only while the post that the row belongs to is active. */
export function raiseVersionOfPost(
  isPostgres: boolean,
  table: string,
  event: string,
  when?: string,
): string {
  // PostgreSQL allows no other table in the condition of a trigger: the function reads it.
  if (isPostgres) {
    const condition = when ? `when (${when})` : ''
    return postgresTrigger(table, event, `${condition} execute function "raisePublicOfPost"()`)
  }
  const row = event === 'delete' ? 'old' : 'new'
  const isActive = `exists (select 1 from post where id = ${row}."postId" and status = 'active')`
  return sqliteTrigger(table, event, when ? `when (${when}) and ${isActive}` : `when ${isActive}`)
}

function sqliteTrigger(table: string, event: string, condition: string): string {
  return `create trigger "${triggerName(table, event)}" after ${event} on "${table}" ${condition}
    begin update "publicVersion" set version = version + 1; end`
}

function postgresTrigger(table: string, event: string, conditionAndAction: string): string {
  return `create constraint trigger "${triggerName(table, event)}" after ${event} on "${table}"
    deferrable initially deferred for each row ${conditionAndAction}`
}

function triggerName(table: string, event: string): string {
  return `public_${table}_${event.split(' ')[0]}`
}

/**
 * Each raises a number once in a transaction: further updates of the row would pass over all its
 * earlier states. A setting that ends with the transaction, or with its savepoint, says that it is
 * done.
 */
export const RAISE_ON_POSTGRES = [
  `create or replace function "raisePublicVersion"() returns trigger language plpgsql as $$ begin
    if coalesce(current_setting('lamplight.version', true), '') = '' then
      update "publicVersion" set version = version + 1
        where slot = pg_backend_pid() % ${POSTGRES_ROWS};
      perform set_config('lamplight.version', 'raised', true);
    end if;
    return null; end $$`,
  `create or replace function "raisePublicLikes"() returns trigger language plpgsql as $$ begin
    if coalesce(current_setting('lamplight.likes', true), '') = '' then
      update "publicVersion" set likes = likes + 1
        where slot = pg_backend_pid() % ${POSTGRES_ROWS};
      perform set_config('lamplight.likes', 'raised', true);
    end if;
    return null; end $$`,
  `create or replace function "raisePublicOfPost"() returns trigger language plpgsql as $$ begin
    if coalesce(current_setting('lamplight.version', true), '') = ''
      and exists (select 1 from post where status = 'active'
        and id = case tg_op when 'DELETE' then old."postId" else new."postId" end) then
      update "publicVersion" set version = version + 1
        where slot = pg_backend_pid() % ${POSTGRES_ROWS};
      perform set_config('lamplight.version', 'raised', true);
    end if;
    return null; end $$`,
]
