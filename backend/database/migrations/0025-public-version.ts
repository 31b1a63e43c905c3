// The public version: a number that grows with everything that changes what readers can see, and a
// second one for likes. Triggers raise both, so that writes past this program count, too. On
// PostgreSQL they do so at the end of a transaction and in a few rows, so that writers do not wait
// for each other.
const ROWS_OF_POSTGRES = 16

type Raise = {
  table: string
  name: string
  event: string
  when?: string
  counter?: 'version' | 'likes'
  /** Only where the post that the row belongs to is active. */
  ofPost?: boolean
}

const POST_COLUMNS = [
  ...['id', 'title', 'content', 'featuredImage', 'status', 'userId', 'permissions'],
  ...['readers', 'isHidden', 'createdAt', 'updatedAt'],
]
const USER_COLUMNS = ['name', 'prefs', 'isBlocked']
const FILE_COLUMNS = ['name', 'readers', 'isComplete', 'storedName', 'color', 'userId']

const of = (columns: string[]) => columns.map((name) => `"${name}"`).join(', ')
const differs = (columns: string[]) =>
  columns.map((name) => `old."${name}" <> new."${name}"`).join(' or ')

/** Every insert, update and delete of these rows. @param ofPost only of posts that others see */
function all(table: string, { ofPost = false } = {}): Raise[] {
  return ['insert', 'update', 'delete'].map((event) => ({ table, event, name: event, ofPost }))
}

const RAISES: readonly Raise[] = [
  { table: 'post', name: 'insert', event: 'insert', when: "new.status = 'active'" },
  { table: 'post', name: 'delete', event: 'delete', when: "old.status = 'active'" },
  {
    ...{ table: 'post', name: 'update', event: `update of ${of(POST_COLUMNS)}` },
    when: "old.status = 'active' or new.status = 'active'",
  },
  {
    ...{ table: 'post', name: 'likes', event: 'update of likes', counter: 'likes' },
    when: "old.likes <> new.likes and new.status = 'active'",
  },
  ...all('postExtra', { ofPost: true }),
  // The rest of it is the same as what was made for an answer before.
  {
    ...{ table: 'postText', name: 'insert', event: 'insert', ofPost: true },
    when: 'new.code is not null',
  },
  {
    ...{ table: 'postText', name: 'update', event: 'update of code', ofPost: true },
    when: 'old.code is distinct from new.code',
  },
  ...all('postTag'),
  { table: 'user', name: 'delete', event: 'delete' },
  {
    ...{ table: 'user', name: 'update', event: `update of ${of(USER_COLUMNS)}` },
    when: differs(USER_COLUMNS),
  },
  { table: 'file', name: 'insert', event: 'insert', when: 'new."isComplete" = 1' },
  { table: 'file', name: 'delete', event: 'delete', when: 'old."isComplete" = 1' },
  {
    ...{ table: 'file', name: 'update', event: `update of ${of(FILE_COLUMNS)}` },
    when: 'new."isComplete" = 1',
  },
  ...all('postFile'),
  ...all('versionFile'),
  ...all('avatarFile'),
  ...all('declaredAttribute'),
  ...all('declaredIndex'),
  {
    ...{ table: 'searchPost', name: 'insert', event: 'insert' },
    when: `new."isDue" = 0 and new.status = 'active'`,
  },
  {
    ...{ table: 'searchState', name: 'update', event: 'update of "doneFrom"' },
    when: 'old."doneFrom" <> new."doneFrom"',
  },
  {
    ...{ table: 'searchPost', name: 'update', event: 'update of "isDue"' },
    when: `old."isDue" = 1 and new."isDue" = 0 and new.status = 'active'`,
  },
]

export function statements(isPostgres: boolean): string[] {
  const slots = Array.from({ length: isPostgres ? ROWS_OF_POSTGRES : 1 }, (_, slot) => slot)
  return [
    `create table if not exists "publicVersion" (slot integer primary key,
       version bigint not null, likes bigint not null)`,
    `insert into "publicVersion" (slot, version, likes)
       values ${slots.map((slot) => `(${slot}, 1, 1)`).join(', ')} on conflict (slot) do nothing`,
    ...(isPostgres
      ? [...FUNCTIONS_OF_POSTGRES, ...RAISES.flatMap(onPostgres)]
      : RAISES.map(onSqlite)),
  ]
}

function onSqlite({ table, name, event, when, counter = 'version', ofPost }: Raise): string {
  const row = event === 'delete' ? 'old' : 'new'
  const isShown = `exists (select 1 from post where id = ${row}."postId" and status = 'active')`
  const condition = [when && `(${when})`, ofPost && isShown].filter(Boolean).join(' and ')
  return `create trigger if not exists "public_${table}_${name}" after ${event} on "${table}"
    ${condition ? `when ${condition}` : ''} begin
    update "publicVersion" set "${counter}" = "${counter}" + 1; end`
}

/**
 * Once in a transaction: each further update of the row would pass all states of it before. A
 * setting that ends with the transaction, or with its savepoint, notes that it is done.
 */
function raisingOnce(name: string, counter: string, isShown = 'true'): string {
  const done = `lamplight.${counter}`
  return `create or replace function "${name}"() returns trigger language plpgsql as $$ begin
    if coalesce(current_setting('${done}', true), '') = '' and ${isShown} then
      update "publicVersion" set "${counter}" = "${counter}" + 1
        where slot = pg_backend_pid() % ${ROWS_OF_POSTGRES};
      perform set_config('${done}', 'raised', true);
    end if;
    return null; end $$`
}

/** A condition of a trigger cannot ask other tables there. */
export const FUNCTIONS_OF_POSTGRES = [
  raisingOnce('raisePublicVersion', 'version'),
  raisingOnce('raisePublicLikes', 'likes'),
  raisingOnce(
    'raisePublicOfPost',
    'version',
    `exists (select 1 from post where status = 'active'
      and id = case tg_op when 'DELETE' then old."postId" else new."postId" end)`,
  ),
]

function onPostgres({ table, name, event, when, counter, ofPost }: Raise): string[] {
  const raise = ofPost ? 'OfPost' : counter === 'likes' ? 'Likes' : 'Version'
  return [
    `drop trigger if exists "public_${table}_${name}" on "${table}"`,
    `create constraint trigger "public_${table}_${name}" after ${event} on "${table}"
      deferrable initially deferred for each row ${when ? `when (${when})` : ''}
      execute function "raisePublic${raise}"()`,
  ]
}
