// Accounts: users, their sessions and sign-ins. Mail links: tokens and which links were used.
// Google: linked accounts, and requests that have not been answered yet.
import { raiseVersion } from './public-version.ts'

export const createAccounts = (isPostgres: boolean): string[] => [
  ...ACCOUNTS,
  ...userIndexes(isPostgres),
  ...MAIL_LINKS,
  ...GOOGLE,
  raiseVersion(
    isPostgres,
    'user',
    'update of name, about, "isBlocked"',
    'old.name <> new.name or old.about <> new.about or old."isBlocked" <> new."isBlocked"',
  ),
  raiseVersion(isPostgres, 'user', 'delete'),
]

const ACCOUNTS = [
  `create table "user" (
    id text primary key,
    name text not null,
    email text not null unique,
    "passwordHash" text,
    "passwordUpdatedAt" text,
    "passwordSetBy" text not null default '',
    "isVerified" integer not null,
    "isBlocked" integer not null,
    labels text not null default '[]',
    about text not null default '',
    prefs text not null,
    "createdAt" text not null,
    "updatedAt" text not null,
    "accessedAt" text not null
  )`,

  `create table session (
    id text primary key,
    "userId" text not null references "user" (id) on delete cascade,
    "secretHash" text not null unique,
    provider text not null,
    "providerUid" text not null,
    "providerAccessToken" text not null,
    "providerAccessTokenExpiresAt" text not null,
    "providerRefreshToken" text not null default '',
    "openedBy" text not null default '',
    "openedRole" text not null default '',
    ip text not null,
    "userAgent" text not null,
    "createdAt" text not null,
    "lastUsedAt" text not null,
    "expiresAt" text not null
  )`,
  'create index "sessionByUser" on session ("userId", "createdAt")',
  `create index "sessionOpened" on session ("openedBy") where "openedBy" <> ''`,

  `create table "signInLog" (
    id text primary key,
    "userId" text not null references "user" (id) on delete cascade,
    ip text not null,
    "userAgent" text not null,
    "createdAt" text not null
  )`,
  'create index "signInLogByUser" on "signInLog" ("userId", "createdAt", id)',
  'create index "signInLogByTime" on "signInLog" ("createdAt")',
]

/** The role in the labels of a user, as queries of operators have it. Labels hold no quotes. */
export const ROLE = `case when replace(labels, '"operator"', '') <> labels then 'operator'
  when replace(labels, '"author"', '') <> labels then 'author'
  when replace(labels, '"reader"', '') <> labels then 'reader' else 'author' end`

/** The few blocked people and operators among many, and people as operators look for them. */
const userIndexes = (isPostgres: boolean) => [
  'create index "userByBlock" on "user" ("isBlocked", id)',
  `create index "userOperators" on "user" (id) where labels like '%"operator"%'`,
  'create index "personByTime" on "user" ("createdAt", id)',
  'create index "personByBlock" on "user" ("isBlocked", "createdAt", id)',
  'create index "personByProof" on "user" ("isVerified", "isBlocked", "createdAt", id)',
  `create index "personByRole" on "user" ((${ROLE}), "createdAt", id, "isBlocked")`,
  `create index "personByRoleAndProof" on "user"
    ((${ROLE}), "isVerified", "isBlocked", "createdAt", id)`,
  `create index "personByName" on "user" (lower(${byCodePoint('name', isPostgres)}), id)`,
  `create index "personByEmail" on "user" (${byCodePoint('email', isPostgres)}, id)`,
]

/** SQLite compares texts by their code points anyway. */
function byCodePoint(column: string, isPostgres: boolean): string {
  return isPostgres ? `(${column} collate "C")` : column
}

const MAIL_LINKS = [
  `create table token (
    id text primary key,
    "userId" text not null references "user" (id) on delete cascade,
    kind text not null,
    "secretHash" text not null unique,
    alias text not null default '',
    "providerUid" text not null default '',
    "guessesLeft" integer,
    "openedBy" text not null default '',
    "openedRole" text not null default '',
    "createdAt" text not null,
    "expiresAt" text not null
  )`,
  'create index "tokenByUser" on token ("userId", kind, "createdAt")',
  'create index "tokenByAlias" on token (alias)',
  `create index "tokenOpened" on token ("openedBy") where "openedBy" <> ''`,

  `create table "usedLink" (
    id text not null primary key,
    "usedAt" text not null
  )`,
  'create index "usedLinkByTime" on "usedLink" ("usedAt")',
]

const GOOGLE = [
  `create table identity (
    id text not null default '',
    provider text not null,
    sub text not null,
    "userId" text not null references "user" (id) on delete cascade,
    email text not null default '',
    "createdAt" text not null,
    "lastUsedAt" text not null default '',
    constraint "identityKey" primary key (provider, sub)
  )`,
  'create unique index "identityById" on identity (id)',
  'create index "identityByUser" on identity ("userId")',

  `create table "oauthState" (
    "stateHash" text primary key,
    "browserHash" text not null,
    nonce text not null,
    "codeVerifier" text not null,
    "successUrl" text not null,
    "failureUrl" text not null,
    "isForToken" integer not null default 0,
    "expiresAt" text not null
  )`,
  'create index "oauthStateByEnd" on "oauthState" ("expiresAt")',
]
