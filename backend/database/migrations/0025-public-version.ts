// The public version: a number that grows with everything that changes what readers can see, and a
// second one for likes. Triggers raise both, so that writes past this program count, too. On
// PostgreSQL they do so at the end of a transaction and in a few rows, so that writers do not wait
// for each other.
const ROWS_OF_POSTGRES = 16

type Raise = {
  table: string
  event: string
  when?: string | undefined
  counter?: 'version' | 'likes'
  /** Only where the post that the row belongs to is active. */
  ofPost?: boolean
}

const POST_COLUMNS = [
  'id',
  'title',
  'content',
  'featuredImage',
  'status',
  'userId',
  'permissions',
  'readers',
  'isHidden',
  'createdAt',
  'updatedAt',
]
const USER_COLUMNS = ['name', 'prefs', 'isBlocked']
const FILE_COLUMNS = ['name', 'readers', 'isComplete', 'storedName', 'color', 'userId']

const of = (columns: string[]) => columns.map((name) => `"${name}"`).join(', ')
const differs = (columns: string[]) =>
  columns.map((name) => `old."${name}" <> new."${name}"`).join(' or ')

export function raise(
  table: string,
  event: string,
  when?: string,
  more: Partial<Raise> = {},
): Raise {
  return { table, event, when, ...more }
}
/** Every insert, update and delete of these rows. */
function all(table: string, more?: Partial<Raise>): Raise[] {
  return ['insert', 'update', 'delete'].map((event) => raise(table, event, undefined, more))
}

const OF_POST = { ofPost: true }
const RAISES: readonly Raise[] = [
  raise('post', 'insert', "new.status = 'active'"),
  raise('post', 'delete', "old.status = 'active'"),
  raise('post', `update of ${of(POST_COLUMNS)}`, "old.status = 'active' or new.status = 'active'"),
  raise('post', 'update of likes', "old.likes <> new.likes and new.status = 'active'", {
    counter: 'likes',
  }),
  ...all('postExtra', OF_POST),
  // The rest of it is the same as what was made for an answer before.
  raise('postText', 'insert', 'new.code is not null', OF_POST),
  raise('postText', 'update of code', 'old.code is distinct from new.code', OF_POST),
  ...all('postTag'),
  raise('user', 'delete'),
  raise('user', `update of ${of(USER_COLUMNS)}`, differs(USER_COLUMNS)),
  raise('file', 'insert', 'new."isComplete" = 1'),
  raise('file', 'delete', 'old."isComplete" = 1'),
  raise('file', `update of ${of(FILE_COLUMNS)}`, 'new."isComplete" = 1'),
  ...['postFile', 'versionFile', 'avatarFile'].flatMap((table) => all(table)),
  ...['declaredAttribute', 'declaredIndex'].flatMap((table) => all(table)),
  raise('searchPost', 'insert', `new."isDue" = 0 and new.status = 'active'`),
  raise('searchState', 'update of "doneFrom"', 'old."doneFrom" <> new."doneFrom"'),
  raise(
    'searchPost',
    'update of "isDue"',
    `old."isDue" = 1 and new."isDue" = 0 and new.status = 'active'`,
  ),
]

function nameOf({ table, event, counter }: Raise): string {
  return `public_${table}_${counter ?? event.split(' ')[0]}`
}

export function statements(isPostgres: boolean): string[] {
  const slots = Array.from({ length: isPostgres ? ROWS_OF_POSTGRES : 1 }, (_, slot) => slot)
  return [
    `create table if not exists "publicVersion" (slot integer primary key,
       version bigint not null, likes bigint not null)`,
    `insert into "publicVersion" (slot, version, likes)
       values ${slots.map((slot) => `(${slot}, 1, 1)`).join(', ')} on conflict (slot) do nothing`,
    ...(isPostgres ? FUNCTIONS_OF_POSTGRES : []),
    ...triggersOf(RAISES, isPostgres),
  ]
}

export function triggersOf(raises: readonly Raise[], isPostgres: boolean): string[] {
  return isPostgres ? raises.flatMap(onPostgres) : raises.map(onSqlite)
}

function onSqlite(one: Raise): string {
  const { table, event, when, counter = 'version', ofPost } = one
  const row = event === 'delete' ? 'old' : 'new'
  const isShown = `exists (select 1 from post where id = ${row}."postId" and status = 'active')`
  const condition = [when && `(${when})`, ofPost && isShown].filter(Boolean).join(' and ')
  return `create trigger if not exists "${nameOf(one)}" after ${event} on "${table}"
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

function onPostgres(one: Raise): string[] {
  const { table, event, when, counter, ofPost } = one
  const done = ofPost ? 'OfPost' : counter === 'likes' ? 'Likes' : 'Version'
  return [
    `drop trigger if exists "${nameOf(one)}" on "${table}"`,
    `create constraint trigger "${nameOf(one)}" after ${event} on "${table}"
      deferrable initially deferred for each row ${when ? `when (${when})` : ''}
      execute function "raisePublic${done}"()`,
  ]
}
