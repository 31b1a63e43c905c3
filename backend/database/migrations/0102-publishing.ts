// What authors decide about publishing a post: its excerpt, the words in its URL, its texts for
// search engines, and when it is published.
//
// Extra attributes that have the names of the new ones (`BLOG_EXTRA_ATTRIBUTES`) become them where
// they are valid; others get the prefix `old_`.
import { cacheTagTriggers, sequenceColumn } from '../migration-steps.ts'

export const statements = (isPostgres: boolean): string[] => [
  // Details follow their post into the deleted posts, as versions do.
  `create table "postDetails" (
    ${sequenceColumn(isPostgres)},
    "postId" text unique references post (id) on delete cascade,
    "deletedId" text unique references "deletedPost" (id) on delete cascade,
    details text not null,
    constraint "postDetailsOfOne" check (("postId" is null) <> ("deletedId" is null))
  )`,
  `create table "postSchedule" (
    "postId" text primary key references post (id) on delete cascade,
    "publishAt" text not null,
    "tryAt" text not null,
    problem text not null default ''
  )`,
  'create index "postScheduleByTime" on "postSchedule" ("tryAt")',
  ...moveExtras(isPostgres, { table: 'postExtra', key: 'postId', column: 'postId' }),
  ...moveExtras(isPostgres, { table: 'deletedPost', key: 'id', column: 'deletedId' }),
  `delete from "postExtra" where attributes = '{}'`,
  `update "deletedPost" set attributes = '' where attributes = '{}'`,
  ...['insert', 'update', 'delete'].flatMap((event) => {
    const rows = event === 'insert' ? ['new'] : event === 'delete' ? ['old'] : ['old', 'new']
    return cacheTagTriggers(isPostgres, {
      table: 'postDetails',
      event,
      raises: rows.flatMap((row) => ofActivePost(`${row}."postId"`)),
    })
  }),
  ...closedCommentsTriggers(isPostgres),
]

const ofActivePost = (id: string) => {
  const active = `from post where id = ${id} and status = 'active'`
  return [
    `select 'post:' || id as tag ${active}`,
    `select 'link:' || id as tag ${active}`,
    `select 'texts' as tag ${active}`,
  ]
}

/** Documents say that comments are closed, so lists of many posts depend on it, too. */
function closedCommentsTriggers(isPostgres: boolean): string[] {
  const changes = {
    insert: 'new."isClosed" = 1',
    'update of "isClosed"': 'old."isClosed" <> new."isClosed"',
  }
  return Object.entries(changes).flatMap(([event, when]) =>
    cacheTagTriggers(isPostgres, {
      name: 'closed',
      table: 'discussion',
      event,
      when: `${when} and new."postId" is not null`,
      raises: [`select 'texts' as tag`],
    }),
  )
}

// --- extra attributes

/** The attributes that texts of this length may become. Their form is that of post-details.ts. */
const LENGTHS = { excerpt: 300, metaTitle: 120, metaDescription: 300, canonicalUrl: 2000 }
const OTHERS = ['addressWords', 'commentsClosed', 'page', 'publishProblem']
const TAKEN = [...Object.keys(LENGTHS), ...OTHERS]

type Source = { table: string; key: string; column: string }

function moveExtras(isPostgres: boolean, source: Source): string[] {
  return TAKEN.flatMap((name) =>
    isPostgres ? moveOnPostgres(name, source) : moveOnSqlite(name, source),
  )
}

function moveOnSqlite(name: string, { table, key, column }: Source): string[] {
  const value = `json_extract(attributes, '$.${name}')`
  const isText = `json_type(attributes, '$.${name}') = 'text'`
  const max = LENGTHS[name as keyof typeof LENGTHS]
  const isUrl = `${value} glob 'https://[a-z0-9]*' and ${value} not glob '*[^!-?A-~]*'`
  const fits = `attributes <> '' and ${isText} and ${value} <> '' and length(${value}) <= ${max}
    and ${value} not glob '*[' || char(1) || '-' || char(31) || ']*'
    and trim(${value}) = ${value} and ${name === 'canonicalUrl' ? isUrl : 'true'}`
  const moved = [
    `insert into "postDetails" ("${column}", details)
      select "${key}", json_object('${name}', ${value}) from "${table}" where ${fits}
      on conflict ("${column}") do update
        set details = json_patch(details, excluded.details)`,
    `update "${table}" set attributes = json_remove(attributes, '$.${name}') where ${fits}`,
  ]
  return [
    ...(max === undefined ? [] : moved),
    `update "${table}" set attributes = json_remove(
        json_set(attributes, '$.old_${name}', json(attributes -> '$.${name}')), '$.${name}')
      where attributes <> '' and json_type(attributes, '$.${name}') is not null`,
  ]
}

function moveOnPostgres(name: string, { table, key, column }: Source): string[] {
  const max = LENGTHS[name as keyof typeof LENGTHS]
  const value = `(attributes::jsonb ->> '${name}')`
  const isUrl = `${value} ~ '^https://[a-z0-9][!-?A-~]*$'`
  // In one `case`, because the order of conditions is not fixed, and an empty text is no JSON.
  const fits = `case when attributes = '' then false
    else jsonb_typeof(attributes::jsonb -> '${name}') = 'string' and ${value} <> ''
      and length(${value}) <= ${max} and ${value} !~ '[\\x01-\\x1f]'
      and btrim(${value}) = ${value} and ${name === 'canonicalUrl' ? isUrl : 'true'} end`
  const moved = [
    `insert into "postDetails" ("${column}", details)
      select "${key}", json_build_object('${name}', ${value})::text from "${table}" where ${fits}
      on conflict ("${column}") do update
        set details = ("postDetails".details::jsonb || excluded.details::jsonb)::text`,
    `update "${table}" set attributes = (attributes::jsonb - '${name}')::text where ${fits}`,
  ]
  return [
    ...(max === undefined ? [] : moved),
    `update "${table}" set attributes = (jsonb_set(attributes::jsonb, '{old_${name}}',
        attributes::jsonb -> '${name}') - '${name}')::text
      where case when attributes = '' then false else attributes::jsonb -> '${name}' is not null end`,
  ]
}
